import Foundation

/// Runs every workload on every peer, interleaved, for some rounds; stops when two peers disagree.
struct Runner {
  let options: Options
  let peers: [any Peer.Type]
  private let data: Dataset
  private var measurements = Measurements()

  init(_ options: Options, peers: [any Peer.Type]) {
    self.options = options
    self.peers = peers
    data = Dataset(count: options.count)
  }

  mutating func run() throws -> [Measurements.Line] {
    // A missing tool is said at once and not after all other rows.
    if Exchange.trial.ids.contains(where: { options.wants($0) }) { _ = try ChildProcess.larder() }
    let workloads = Workload.all.filter {
      options.wants($0.id) || ["insert", "aggregate", "insert-indexed", "fill-linked"].contains($0.id)
        || ($0.id == "commit-update" && options.wants(Workload.commitBytes))
    }
    let disk = options.wants("commit-disk") || options.wants(Self.oneFlush) ? try fillDiskStores() : []
    for round in 0..<options.rounds {
      log("round \(round + 1) of \(options.rounds)")
      // Another peer begins each round, so that none always runs first.
      let order = (0..<peers.count).map { ($0 + round) % peers.count }
      for kind in [Workload.StoreKind.plain, .indexed, .linked] {
        let chosen = workloads.filter { $0.store == kind }
        let isPlainWanted = (["bytes", Workload.commitBytes] + FollowedQuery.allIDs).contains { options.wants($0) }
        if chosen.contains(where: { options.wants($0.id) }) || (kind == .plain && isPlainWanted) {
          try runRound(chosen, kind, order)
        }
      }
      for trial in Trial.all where trial.ids.contains(where: { options.wants($0) }) { try hold(trial, order) }
      if !disk.isEmpty { try commitToDisk(disk, round, order + Array(peers.count..<disk.count)) }
    }
    for store in disk { try store.peer.close() }
    try? FileManager.default.removeItem(atPath: options.diskRoot)
    return measurements.lines(count: options.count, peers: peers.map { $0.name })
  }

  /// One round of the workloads that share a kind of store.
  private mutating func runRound(_ workloads: [Workload], _ kind: Workload.StoreKind, _ order: [Int]) throws {
    var stores: [Int: any Peer] = [:]
    for index in order {
      stores[index] = try makePeer(peers[index], root: options.memoryRoot, indexed: kind == .indexed)
    }
    defer { try? FileManager.default.removeItem(atPath: options.memoryRoot) }
    for workload in workloads {
      var answers: [(peer: String, answer: Answer)] = []
      for index in order {
        guard let peer = stores[index] else { continue }
        let name = peers[index].name
        var answer: Answer?
        let written = WrittenBytes.soFar()
        let peak = options.showsMemory ? MemoryPeak() : nil
        var spent = try Stopwatch.measure { answer = try workload.run(peer, data) }
        spent.processor += Background.finish()
        let memory = peak?.read()
        if options.wants(workload.id) {
          measurements.add(workload.id, name, spent, units: workload.units(data), memory: memory)
        }
        if workload.id == "commit-update", options.wants(Workload.commitBytes), let written,
          let after = WrittenBytes.soFar()
        {
          let bytes = Double(after - written) / Double(Workload.nameCommits)
          measurements.add(Workload.commitBytes, name, bytes: bytes)
        }
        if let verify = workload.verify { answer = try verify(peer) }
        if let answer { answers.append((name, answer)) }
        if workload.id == "insert", options.wants("bytes") {
          measurements.add("bytes", name, bytes: Double(try peer.fileBytes()) / Double(options.count))
        }
      }
      try compare(answers, workload.id)
      // On the full store, before rows are changed and deleted.
      if workload.id == "aggregate" { try follow(stores, order) }
    }
    for index in order { try stores[index]?.close() }
  }

  /// Live queries: changes of some sizes, from the beginning of the transaction to delivery, and the query again.
  private mutating func follow(_ stores: [Int: any Peer], _ order: [Int]) throws {
    for query in FollowedQuery.all where query.ids.contains(where: { options.wants($0) }) {
      var answers: [(peer: String, answer: Answer)] = []
      for index in order {
        guard let peer = stores[index], try peer.beginFollowing(scoreBelow: query.limit) else { continue }
        let name = peers[index].name
        var last = Answer()
        for size in FollowedQuery.sizes {
          let untimed = size.changes == 1 ? FollowedQuery.untimed : 0
          let changes = data.followed(query, size: size.changes, transactions: untimed + size.transactions)
          var total = Spent()
          for (number, transaction) in changes.enumerated() {
            var spent = try peer.changeAndFollow(transaction)
            spent.processor += Background.finish()
            if number >= untimed { total += spent }
          }
          last = try peer.followedMatches()
          if options.wants(query.id(size.changes)), !changes.isEmpty {
            measurements.add(query.id(size.changes), name, total, units: max(1, changes.count - untimed))
          }
        }
        if options.wants(query.rerunID) {
          var again: Answer?
          let spent = try Stopwatch.measure { again = try peer.rerun(scoreBelow: query.limit) }
          measurements.add(query.rerunID, name, spent, units: 1)
          if let again { answers.append((name, again)) }
        }
        peer.endFollowing()
        answers.append((name, last))
      }
      try compare(answers, query.id(1))
    }
  }

  /// A full store of each peer on the disk, made once.
  private func fillDiskStores() throws -> [(name: String, peer: any Peer)] {
    log("filling stores on the disk")
    return try peers.map { type in
      let peer = try makePeer(type, root: options.diskRoot, indexed: false)
      try peer.insert(data.rows)
      return (type.name, peer)
    } + relaxedStores()
  }

  /// The row of commits after which a power cut may lose the last one, beside the others' durable ones.
  static let oneFlush = "commit-disk-one-flush"

  private func relaxedStores() throws -> [(name: String, peer: any Peer)] {
    guard options.wants(Self.oneFlush), peers.contains(where: { $0 == LarderPeer.self }) else { return [] }
    let directory = "\(options.diskRoot)/larder-relaxed"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let peer = try LarderPeer(directory: directory, indexed: false, durability: .relaxed)
    try peer.insert(data.rows)
    return [(LarderPeer.name, peer)]
  }

  private mutating func commitToDisk(_ stores: [(name: String, peer: any Peer)], _ round: Int, _ order: [Int]) throws {
    let first = round * Workload.diskCommits
    let rows = data.extra[first..<first + Workload.diskCommits]
    // The disk's own speed changes within a second: in short turns all peers meet the same.
    var spent = Array(repeating: Spent(), count: stores.count)
    for start in stride(from: rows.startIndex, to: rows.endIndex, by: Workload.diskTurn) {
      let turn = rows[start..<min(start + Workload.diskTurn, rows.endIndex)]
      for index in order {
        spent[index] += try Stopwatch.measure { try stores[index].peer.commitEach(turn) }
        spent[index].processor += Background.finish()
      }
    }
    for index in order {
      let name = stores[index].name
      let isDurable = index < peers.count
      if isDurable, options.wants("commit-disk") {
        measurements.add("commit-disk", name, spent[index], units: rows.count)
      }
      if options.wants(Self.oneFlush), !isDurable || name != LarderPeer.name {
        measurements.add(Self.oneFlush, name, spent[index], units: rows.count)
      }
    }
    try compare(try order.map { (stores[$0].name, try stores[$0].peer.contents()) }, "commit-disk")
  }

  /// A workload with stores of its own: each peer that takes part in turn, its store deleted before the next one's.
  private mutating func hold(_ trial: Trial, _ order: [Int]) throws {
    var answers: [(peer: String, answer: Answer)] = []
    log(trial.ids.joined(separator: ", "))
    for index in order {
      let name = peers[index].name
      guard let entrant = trial.entrants[name] else { continue }
      let root = trial.isOnDisk ? options.diskRoot + "/trial" : options.memoryRoot
      try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: root) }
      var meter = Meter(peer: name, trial, wanted: Set(trial.ids.filter { options.wants($0) }), measurements)
      answers.append((name, try entrant.run(root, data, &meter)))
      _ = Background.finish()
      measurements = meter.measurements
    }
    try compare(answers, trial.ids[0])
  }

  private func makePeer(_ type: any Peer.Type, root: String, indexed: Bool) throws -> any Peer {
    let directory = "\(root)/\(type.name)-\(indexed ? "indexed" : "plain")"
    try? FileManager.default.removeItem(atPath: directory)
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    return try type.init(directory: directory, indexed: indexed)
  }

  private func compare(_ answers: [(peer: String, answer: Answer)], _ workload: String) throws {
    guard let first = answers.first else { return }
    for other in answers.dropFirst() where other.answer != first.answer {
      throw BenchmarkError(
        "\(workload): \(first.peer) answers \(first.answer), but \(other.peer) answers \(other.answer)")
    }
  }

  private func log(_ text: String) { FileHandle.standardError.write(Data("bench: \(text)\n".utf8)) }
}
