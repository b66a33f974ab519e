import LarderSyncProtocol
import LarderSyncQuery

/// The objects that a user may read, by class. The bytes of equal rules are equal on every server, so that a server can tell which rules a device has
/// that comes back.
struct ReadRules: Hashable, Sendable {
  let rules: [SyncText: ReadRule]

  init(_ rules: [SyncText: ReadRule]) { self.rules = rules }

  /// The rules of a user for all classes of a schema.
  init(_ access: UserAccess, in schema: SyncSchema) {
    rules = Dictionary(uniqueKeysWithValues: schema.classes.map { ($0.name, access.readRule($0.name)) })
  }

  /// The rules of some classes.
  func of(_ classes: Set<SyncText>) -> ReadRules { ReadRules(rules.filter { classes.contains($0.key) }) }

  /// A number that differs for different rules, as far as 64 bits can: FNV-1a of the bytes.
  var fingerprint: UInt64 {
    var encoder = SyncEncoder()
    encode(into: &encoder)
    return encoder.writer.bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  private enum Tag {
    static let everything: UInt8 = 0
    static let nothing: UInt8 = 1
    static let matching: UInt8 = 2
  }

  /// The number of classes, and for each its name, a tag, and for a predicate its text and claims; everything in order.
  func encode(into encoder: inout SyncEncoder) {
    encoder.writer.count(rules.count)
    for (name, rule) in rules.sorted(by: { $0.key < $1.key }) {
      encoder.name(name)
      switch rule {
      case .everything: encoder.writer.byte(Tag.everything)
      case .nothing: encoder.writer.byte(Tag.nothing)
      case .matching(let rule):
        encoder.writer.byte(Tag.matching)
        encoder.writer.text(rule.text)
        encoder.writer.count(rule.claims.count)
        for (name, values) in rule.claims.sorted(by: { $0.key < $1.key }) {
          encoder.writer.text(SyncText(name))
          encoder.writer.count(values.count)
          for value in values { value.encode(into: &encoder) }
        }
      }
    }
  }

  /// The rules of bytes, checked against a schema. Rules of classes that it does not have are left out.
  ///
  /// - Throws: `SyncDecodingError`, and `SubscriptionQueryError` for predicates that the schema does not allow any more.
  init(from decoder: inout SyncDecoder, in schema: SyncSchema) throws {
    var rules: [SyncText: ReadRule] = [:]
    for _ in 0..<(try decoder.reader.count(eachAtLeast: 2)) {
      let name = try decoder.name()
      let tag = try decoder.reader.byte()
      switch tag {
      case Tag.everything: rules[name] = .everything
      case Tag.nothing: rules[name] = .nothing
      case Tag.matching:
        let text = try decoder.reader.text()
        let claims = try Self.claims(&decoder)
        guard let schemaClass = schema.classes.first(where: { $0.name == name }) else { continue }
        rules[name] = .matching(try RuleQuery(text, in: schemaClass, claims: claims))
      default: throw decoder.reader.error(.unknownTag(UInt64(tag), of: "rules"))
      }
    }
    self.init(rules)
  }

  private static func claims(_ decoder: inout SyncDecoder) throws(SyncDecodingError) -> [String: [SyncValue]] {
    var claims: [String: [SyncValue]] = [:]
    for _ in 0..<(try decoder.reader.count(eachAtLeast: 2)) {
      let name = try decoder.reader.text()
      var values: [SyncValue] = []
      for _ in 0..<(try decoder.reader.count()) { values.append(try SyncValue(from: &decoder)) }
      claims[name.string] = values
    }
    return claims
  }
}
