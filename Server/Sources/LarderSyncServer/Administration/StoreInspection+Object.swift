import Foundation
import LarderSyncProtocol

/// The error for an object that is not found, with the reason.
public struct ObjectNotFound: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String
}

extension StoreInspection {
  /// The properties of an object of a tenant's first part as the server has merged it.
  ///
  /// - Parameters:
  ///   - className: The class by name.
  ///   - key: The primary key as text: a number, the text, 24 digits of an ObjectId, or a UUID.
  /// - Throws: `TenantAdministration.Failure`, and `ObjectNotFound` for a class that the schema does not have, a key of another type, and an
  ///   object that was never there.
  public func object(_ className: String, _ key: String, of tenant: TenantID) async throws -> Listing {
    let schema = try await TenantAdministration(store: store).schema(of: tenant)
    guard let schemaClass = schema.classes.first(where: { $0.name == SyncText(className) }),
      let property = schemaClass.properties.first(where: { $0.name == schemaClass.primaryKey })
    else {
      let names = schema.classes.filter { $0.primaryKey != nil }.map(\.name.string).joined(separator: ", ")
      throw ObjectNotFound(description: "The schema has no class '\(className)' with a primary key; it has \(names).")
    }
    guard let primaryKey = PrimaryKey(plainText: key, property.type) else {
      throw ObjectNotFound(
        description:
          "'\(key)' is no primary key of '\(className)': '\(property.name)' is \(SchemaDocument.text(property)).")
    }
    let name = ObjectName(className: schemaClass.name, key: primaryKey)
    guard let state = try await store.read({ try $0.states(tenant, .first, of: [name])[name] }) else {
      throw ObjectNotFound(description: "'\(tenant)' never had an object \(className) \(key).")
    }
    var listing = Listing(columns: ["property", "value"])
    listing.rows = [["(alive)", .flag(state.isAlive)], ["(version)", Listing.Cell(state.touchedVersion)]]
    guard state.isAlive else { return listing }
    for property in schemaClass.properties where property.name != schemaClass.primaryKey {
      listing.rows.append([
        .text(property.name.string), state.value(of: property.name).map { .text($0.plainText) } ?? .null,
      ])
    }
    return listing
  }
}

extension PrimaryKey {
  /// The key of a text that people write; nil when it is none of that type.
  init?(plainText text: String, _ type: SchemaType) {
    switch type {
    case .int:
      guard let number = Int64(text) else { return nil }
      self = .int(number)
    case .string: self = .string(SyncText(text))
    case .objectID:
      guard text.utf8.count == 24, text.allSatisfy(\.isHexDigit), let high = UInt64(text.prefix(16), radix: 16),
        let low = UInt32(text.suffix(8), radix: 16)
      else { return nil }
      self = .objectID(SyncObjectID(high: high, low: low))
    case .uuid:
      let digits = text.replacing("-", with: "")
      guard UUID(uuidString: text) != nil, let high = UInt64(digits.prefix(16), radix: 16),
        let low = UInt64(digits.suffix(16), radix: 16)
      else { return nil }
      self = .uuid(SyncUUID(high: high, low: low))
    default: return nil
    }
  }

  /// The text that people write.
  var plainText: String { SyncValue(self).plainText }
}

extension SyncValue {
  /// The value for people. What is in a container has no line of its own.
  var plainText: String {
    switch self {
    case .null: return "nil"
    case .bool(let value): return "\(value)"
    case .int(let value): return "\(value)"
    case .float(let value): return "\(value)"
    case .double(let value): return "\(value)"
    case .decimal(let value): return "decimal \(Hexadecimal.text(value.high))\(Hexadecimal.text(value.low))"
    case .string(let text): return text.string
    case .data(let bytes): return "<\(Hexadecimal.text(bytes))>"
    case .date(let date):
      let seconds = Double(date.seconds) + Double(date.nanoseconds) / 1e9
      return Date(timeIntervalSince1970: seconds).formatted(
        Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    case .objectID(let id): return Hexadecimal.text(id.high) + String(Hexadecimal.text(UInt64(id.low)).suffix(8))
    case .uuid(let id): return Self.text(id)
    case .link(let name): return "\(name.className) \(name.key.plainText)"
    case .embedded(let embedded): return "{\(Self.text(embedded.properties.map { ($0.name, $0.value) }))}"
    case .list(let list): return "[\(list.entries.map(\.value.plainText).joined(separator: ", "))]"
    case .set(let set): return "{\(set.values.map(\.plainText).joined(separator: ", "))}"
    case .map(let map): return "{\(Self.text(map.entries.map { ($0.key, $0.value) }))}"
    }
  }

  private static func text(_ members: [(SyncText, SyncValue)]) -> String {
    members.map { "\($0): \($1.plainText)" }.joined(separator: ", ")
  }

  private static func text(_ id: SyncUUID) -> String {
    let digits = Hexadecimal.text(id.high) + Hexadecimal.text(id.low)
    var rest = Substring(digits.uppercased())
    return [8, 4, 4, 4, 12].map { count in
      defer { rest = rest.dropFirst(count) }
      return String(rest.prefix(count))
    }.joined(separator: "-")
  }
}
