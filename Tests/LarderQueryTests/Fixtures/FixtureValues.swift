import Foundation
import LarderStorage

@testable import LarderQuery

/// Reads values written in fixtures: plain JSON by the property's type, and `{"$type": …}` where JSON has no form.
struct FixtureValues {
  /// Object keys by class and label.
  var keys: [String: [String: ObjectKey]] = [:]
  var classIDs: [String: ClassID] = [:]

  struct Problem: Error, CustomStringConvertible {
    var description: String
  }

  func stored(_ json: JSONValue, _ type: String) throws -> StoredValue {
    switch (type, json) {
    case (_, .null): .null
    case ("mixed", let json): try mixed(json)
    case ("bool", .bool(let value)): .bool(value)
    case ("int", .int(let value)): .int(value)
    case ("float", .int(let value)): .float(Float(value))
    case ("float", .double(let value)): .float(Float(value))
    case ("double", .int(let value)): .double(Double(value))
    case ("double", .double(let value)): .double(value)
    case ("string", .string(let value)): .string(value)
    case ("data", .string(let value)): .data(Data(value.utf8))
    case ("decimal128", .string(let value)): .decimal128(DecimalNumber(value)?.bits ?? .zero)
    case ("uuid", .string(let value)): .uuid(try UUID(uuidString: value).orThrow("no UUID: \(value)"))
    case ("objectId", .string(let value)):
      try TypeChecker.convert(.string(value), to: .objectId).orThrow("no ObjectId: \(value)")
    case ("date", .double(let value)): .date(Timestamp(Date(timeIntervalSince1970: value)))
    case ("date", .int(let value)): .date(Timestamp(seconds: value))
    case (_, .object(let tagged)): try self.tagged(tagged, type)
    case (_, .string(let label)):
      .link(try keys[type]?[label].orThrow("no object \(label) of \(type)") ?? { throw Problem(description: type) }())
    default: throw Problem(description: "\(json) does not fit \(type)")
    }
  }

  private func tagged(_ object: [String: JSONValue], _ type: String) throws -> StoredValue {
    guard let (tag, value) = object.first, case .string(let text) = value else {
      throw Problem(description: "\(object) has no meaning")
    }
    switch (tag, type) {
    case ("$number", "double"): return .double(try Double(text).orThrow(text))
    case ("$number", "float"): return .float(try Float(text).orThrow(text))
    case ("$date", _):
      let parts = text.split(separator: ":")
      return .date(Timestamp(seconds: Int64(parts[0]) ?? 0, nanoseconds: UInt32(parts[1]) ?? 0))
    case ("$repeat", _): return .string(String(repeating: text, count: 2000))
    default: throw Problem(description: "\(tag) does not fit \(type)")
    }
  }

  /// A value of any type: as JSON has it, lists and dictionaries too; `{"$type": …}` for what JSON has not.
  private func mixed(_ json: JSONValue) throws -> StoredValue {
    switch json {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .int(let value): return .int(value)
    case .double(let value): return .double(value)
    case .string(let value): return .string(value)
    case .array(let members): return .list(StoredList(try members.map { try mixed($0) }))
    case .object(let tagged) where tagged.count == 1 && tagged.keys.first?.first == "$":
      switch try argument(json) {
      case .value(let value): return value
      case .object(let link, _): return .object(link)
      default: throw Problem(description: "\(json) is no value")
      }
    case .object(let entries):
      return .dictionary(StoredDictionary(try entries.map { (key: $0, value: try mixed($1)) }))
    }
  }

  func argument(_ json: JSONValue) throws -> PredicateArgument {
    switch json {
    case .null: return .null
    case .bool(let value): return .value(.bool(value))
    case .int(let value): return .value(.int(value))
    case .double(let value): return .value(.double(value))
    case .string(let value): return .value(.string(value))
    case .array(let members): return .list(try members.map { try argument($0) })
    case .object(let tagged):
      guard let (tag, value) = tagged.first else { throw Problem(description: "an empty argument") }
      switch (tag, value) {
      case ("$object", .array(let pair)):
        guard case .string(let name) = pair[0], case .string(let label) = pair[1], let id = classIDs[name],
          let key = keys[name]?[label]
        else { throw Problem(description: "no object \(pair)") }
        return .object(ObjectLink(classID: id, key: key))
      case ("$detached", .string(let name)): return .detachedObject(className: name)
      case ("$data", let json): return .value(try stored(json, "data"))
      case ("$uuid", let json): return .value(try stored(json, "uuid"))
      case ("$objectId", let json): return .value(try stored(json, "objectId"))
      case ("$decimal128", let json): return .value(try stored(json, "decimal128"))
      case ("$date", .string): return .value(try self.tagged(tagged, "date"))
      case ("$date", let json): return .value(try stored(json, "date"))
      case ("$float", let json): return .value(try stored(json, "float"))
      case ("$list", let json), ("$dictionary", let json): return .value(try mixed(json))
      case ("$keyPath", .string(let path)): return .keyPath(path)
      case ("$number", .string): return .value(try self.tagged(tagged, "double"))
      default: throw Problem(description: "\(tag) is no kind of argument")
      }
    }
  }
}

extension Optional {
  fileprivate func orThrow(_ message: String) throws -> Wrapped {
    guard let self else { throw FixtureValues.Problem(description: message) }
    return self
  }
}
