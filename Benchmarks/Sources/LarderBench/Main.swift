import Foundation

@main
struct Main {
  static var allPeers: [any Peer.Type] { [LarderPeer.self, GRDBPeer.self, SQLitePeer.self, LMDBPeer.self] }

  static func main() {
    do {
      let arguments = Array(CommandLine.arguments.dropFirst())
      if arguments.contains("--help") || arguments.contains("-h") { return print(Options.help) }
      if arguments.first == ProcessCommits.argument { return try ProcessCommits.commit(arguments.dropFirst()) }
      if arguments.first == ManyStores.argument { return try ManyStores.open(arguments.dropFirst()) }
      let options = try Options(arguments)
      let peers = allPeers.filter { options.peers.contains($0.name) }
      var runner = Runner(options, peers: peers)
      let lines = try runner.run()
      let report = Report(lines: lines, peers: peers.map { $0.name })
      let text = "\(options.count) objects, \(options.rounds) rounds, medians\n\n\(report.markdown())"
      print(text)
      if let earlier = options.against { print("\n" + report.comparison(with: try Report.lines(from: earlier))) }
      if let path = options.json {
        try report.writeJSON(to: path)
        // Beside the figures for programs, the table for people: `Benchmarks/readme-table` takes it from there.
        let table = URL(fileURLWithPath: path).deletingPathExtension().appendingPathExtension("md")
        try Data((text + "\n").utf8).write(to: table, options: .atomic)
      }
    } catch {
      FileHandle.standardError.write(Data("larder-bench: \(error)\n".utf8))
      exit(1)
    }
  }
}
