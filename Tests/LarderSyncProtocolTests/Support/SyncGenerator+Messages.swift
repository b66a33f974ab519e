import LarderSyncProtocol
import TestBasics

extension SyncGenerator {
  /// A message of one of the twenty kinds.
  mutating func message() -> SyncMessage {
    switch random.int(0..<20) {
    case 0: .hello(hello())
    case 1: .welcome(welcome())
    case 2: .authenticate(token: text())
    case 3: .authenticated(until: number())
    case 4: .subscribe(subscribe())
    case 5: .upload(upload())
    case 6:
      .acknowledge(
        Acknowledgement(siteVersion: number(), clamped: random.oneIn(2) ? SyncTime(rawValue: number()) : nil))
    case 7: .refused((0..<random.int(0..<3)).map { _ in refused() })
    case 8: .download(download())
    case 9: .bootstrapBegin(begin())
    case 10: .bootstrapPage(page())
    case 11:
      .bootstrapEnd(
        BootstrapEnd(
          version: number(), ownSiteVersion: number(), view: view(), epoch: number(), isFull: random.oneIn(2),
          time: SyncTime(rawValue: number()), cursor: random.bytes(count: random.int(0..<12))))
    case 12: .mark(number())
    case 13: .failure(failure())
    case 14: .credit(number())
    case 15: .ping(number())
    case 16: .pong(number())
    case 17: .schemaPush(schema())
    case 18: .schema(schema())
    default: unknown()
    }
  }

  mutating func frame() -> SyncFrame {
    guard random.oneIn(5) else { return SyncFrame(message()) }
    let extensions = (0..<random.int(0..<4)).map { _ in
      SyncExtension(number: number() & ~1, bytes: random.bytes(count: random.int(0..<9)))
    }
    return SyncFrame(message(), extensions: extensions)
  }

  mutating func upload() -> Upload {
    Upload(commits: (0..<random.int(0..<4)).map { _ in commit(siteVersion: UInt64(random.int(1..<200))) })
  }

  mutating func download() -> Download {
    var version = number() >> 8
    let records = (0..<random.int(0..<4)).map { _ in
      version += UInt64(random.int(1..<300))
      return record(version: version)
    }
    return Download(
      part: number32(), records: records, cursor: random.bytes(count: random.int(0..<20)))
  }

  mutating func page() -> BootstrapPage {
    site = nil
    return BootstrapPage(
      part: number32(), className: name(), after: random.oneIn(2) ? key() : nil, through: random.oneIn(2) ? key() : nil,
      version: number(), ownSiteVersion: number(), objects: objectDeltas())
  }

  private mutating func begin() -> BootstrapBegin {
    BootstrapBegin(
      view: view(), isFull: random.oneIn(2), objects: number(), bytes: number(),
      resumption: random.bytes(count: random.int(0..<20)), continues: random.oneIn(2))
  }

  private mutating func bootstrap() -> BootstrapPosition {
    BootstrapPosition(
      resumption: random.bytes(count: random.int(0..<20)), view: view(), className: name(),
      through: random.oneIn(2) ? key() : nil)
  }

  mutating func view() -> ViewTag { ViewTag(subscriptions: number(), rules: number()) }

  private mutating func hello() -> Hello {
    let position = SyncPosition(
      epoch: number(), cursor: random.oneIn(2) ? random.bytes(count: random.int(0..<20)) : nil,
      view: random.oneIn(2) ? view() : nil,
      retained: RetainedCommits(first: number(), nonces: (0..<random.int(0..<5)).map { _ in random.next() }),
      bootstrap: random.oneIn(2) ? bootstrap() : nil)
    return Hello(
      newest: ProtocolVersion(major: number32(), minor: number32()), tenant: text(), token: text(), agent: text(),
      credential: random.oneIn(2)
        ? SiteCredential(site: anySite(), secret: random.bytes(count: random.int(0..<33))) : nil,
      incarnation: random.next(), schemaFingerprint: random.next(), position: position, expands: random.oneIn(2))
  }

  private mutating func welcome() -> Welcome {
    let resumption: Resumption =
      switch random.int(0..<3) {
      case 0: .incremental
      case 1: .rebuild(random.pick(RebuildReason.allCases))
      default: .fork(common: number())
      }
    return Welcome(
      version: .current, session: random.next(), site: anySite(),
      secret: random.oneIn(2) ? random.bytes(count: 32) : nil, epoch: number(), lastSiteVersion: number(),
      time: SyncTime(rawValue: number()), resumption: resumption, limits: .standard, expands: random.oneIn(2))
  }

  private mutating func subscribe() -> Subscribe {
    let queries = (0..<random.int(0..<4)).map { _ in
      SubscribedQuery(
        name: random.oneIn(2) ? text() : nil, className: name(), predicate: text(),
        arguments: (0..<random.int(0...2)).map { _ in value() })
    }
    return Subscribe(version: number(), queries: queries)
  }

  private mutating func refused() -> RefusedOperation {
    RefusedOperation(
      siteVersion: number(), operation: number32(), object: object(), reason: random.pick(RefusalReason.allCases),
      message: text())
  }

  private mutating func failure() -> SyncFailure {
    SyncFailure(
      SyncFailureCode(rawValue: UInt16(truncatingIfNeeded: number())), action: random.pick(SyncFailureAction.allCases),
      message: text(), subject: random.oneIn(2) ? text() : nil, retryAfter: random.oneIn(2) ? number32() : nil)
  }

  private mutating func unknown() -> SyncMessage {
    let kind = max(number(), SyncMessage.firstOptionalKind)
    return UnknownMessage(kind: kind, body: random.bytes(count: random.int(0..<30))).map { .unknown($0) } ?? .ping(1)
  }

  private mutating func schema() -> SyncSchema {
    let classes = (0..<random.int(0..<4)).map { _ in
      let properties = (0..<random.int(0..<5)).map { _ in
        SchemaProperty(
          name(), random.pick(SchemaType.allCases), collection: random.pick(SchemaCollection.allCases),
          isOptional: random.oneIn(2), target: random.oneIn(3) ? name() : nil,
          merge: random.pick(SchemaMerge.allCases), isQueryable: random.oneIn(2))
      }
      return SchemaClass(
        name(), kind: random.pick(SchemaClassKind.allCases), primaryKey: random.oneIn(2) ? name() : nil,
        properties: properties)
    }
    return SyncSchema(version: number(), classes: classes)
  }
}
