import Foundation
@testable import LarderRealmFile

/// Writes a file in the notation of the samples' dumps (Fixtures/realm), so that both are compared line by line.
struct DumpWriter {
  let file: RealmFile
  private var backlinks: [Int: [Int64: [String: [Int64]]]] = [:]

  init(_ file: RealmFile) throws {
    self.file = file
    try collectBacklinks()
  }

  /// A line of a dump; what links to the object is apart, since its order says nothing.
  struct Line: Equatable {
    var text: String
    var backlinks: [String: [Int64]]
  }

  func lines() throws -> [Line] {
    var lines = [Line(text: header(), backlinks: [:])]
    for objectClass in file.classes where !objectClass.isEmbedded {
      try file.forEachCluster(of: objectClass) { cluster in
        for row in cluster.keys.indices {
          let object = RealmFileObject(cluster: cluster, row: row)
          let text =
            "{\"class\":\(quoted(objectClass.name)),\"key\":\(object.key),\"values\":\(try values(object, objectClass))"
          let links = backlinks[objectClass.index]?[object.key] ?? [:]
          lines.append(Line(text: text, backlinks: links.mapValues { $0.sorted() }))
        }
      }
    }
    return lines
  }

  private func header() -> String {
    let classes = file.classes.map { objectClass in
      let properties = objectClass.properties.map { property in
        "{\"name\":\(quoted(property.name)),\"type\":\"\(property.type.rawValue)\","
          + "\"collection\":\(property.collection == .none ? "null" : "\"\(property.collection.rawValue)\""),"
          + "\"optional\":\(property.isOptional),\"target\":\(property.target.map(quoted) ?? "null"),"
          + "\"indexed\":\(property.isIndexed),\"fullText\":\(property.isFullText)}"
      }
      let primaryKey = objectClass.primaryKey.map { quoted(objectClass.properties[$0].name) } ?? "null"
      return "{\"name\":\(quoted(objectClass.name)),\"embedded\":\(objectClass.isEmbedded),"
        + "\"primaryKey\":\(primaryKey),\"properties\":[\(properties.joined(separator: ","))]}"
    }
    return
      "{\"format\":\(file.format),\"schemaVersion\":\(file.schemaVersion),\"classes\":[\(classes.joined(separator: ","))]}"
  }

  private func values(_ object: RealmFileObject, _ objectClass: RealmFileClass) throws -> String {
    let parts = try objectClass.properties.enumerated().map { index, property in
      "\(quoted(property.name)):\(try text(object.value(of: index), isMixed: property.type == .mixed))"
    }
    return "{\(parts.joined(separator: ","))}"
  }

  private func text(_ value: RealmFileValue, isMixed: Bool) throws -> String {
    func number(_ type: String, _ text: String) -> String { isMixed ? "{\"$mixed\":[\"\(type)\",\(text)]}" : text }
    switch value {
    case .null: return "null"
    case .int(let value): return number("int", Self.text(value))
    case .bool(let value): return "\(value)"
    case .float(let value): return number("float", Self.text(Double(value), value.description))
    case .double(let value): return number("double", Self.text(value, value.description))
    case .string(let text): return quoted(text)
    case .data(let bytes): return "{\"$data\":\"\(Data(bytes).base64EncodedString())\"}"
    case .date(let date): return "{\"$date\":[\(Self.text(date.seconds)),\(date.nanoseconds)]}"
    case .objectId(let id): return "{\"$oid\":\"\(id.bytes.map { String(format: "%02x", $0) }.joined())\"}"
    case .uuid(let uuid): return "{\"$uuid\":\"\(uuid.uuidString.lowercased())\"}"
    case .decimal(let number): return "{\"$decimal\":\"\(number)\"}"
    case .link(let link):
      let target = file.classes[link.classIndex]
      guard target.isEmbedded else { return "{\"$link\":[\(quoted(target.name)),\(link.key)]}" }
      guard let object = try file.object(of: target, key: link.key) else { return "\"no such object\"" }
      return "{\"$embedded\":\(try values(object, target))}"
    case .list(let elements), .set(let elements):
      return "[\(try elements.map { try text($0, isMixed: isMixed) }.joined(separator: ","))]"
    case .dictionary(let entries):
      return
        "{\(try entries.map { "\(quoted($0.key)):\(try text($0.value, isMixed: isMixed))" }.joined(separator: ","))}"
    }
  }

  private static func text(_ value: Int64) -> String { value.magnitude > 1 << 53 ? "\"\(value)\"" : "\(value)" }

  private static func text(_ value: Double, _ description: String) -> String {
    if value.isNaN { return "\"NaN\"" }
    if value.isInfinite { return value > 0 ? "\"Infinity\"" : "\"-Infinity\"" }
    return value == 0 && value.sign == .minus ? "\"-0.0\"" : description
  }

  private func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case _ where scalar.value < 32: result += String(format: "\\u%04x", scalar.value)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private mutating func collectBacklinks() throws {
    for objectClass in file.classes {
      try file.forEachCluster(of: objectClass) { cluster in
        for (index, property) in objectClass.properties.enumerated()
        where property.type == .link || property.type == .mixed {
          let column = try cluster.values(of: index)
          for row in 0..<column.count {
            collect(column[row], "\(objectClass.name).\(property.name)", cluster.keys[row])
          }
        }
      }
    }
  }

  private mutating func collect(_ value: RealmFileValue, _ origin: String, _ source: Int64) {
    switch value {
    case .link(let link):
      backlinks[link.classIndex, default: [:]][link.key, default: [:]][origin, default: []].append(source)
    case .list(let elements), .set(let elements): for element in elements { collect(element, origin, source) }
    case .dictionary(let entries): for entry in entries { collect(entry.value, origin, source) }
    default: break
    }
  }
}

extension DumpWriter.Line {
  /// A line of a sample's dump.
  init(dumped line: String) throws {
    guard let range = line.range(of: ",\"backlinks\":") else {
      // The header's closing brace is part of it.
      self.init(text: line.hasPrefix("{\"format\"") ? line : String(line.dropLast()), backlinks: [:])
      return
    }
    let parsed = try JSONSerialization.jsonObject(with: Data(line[range.upperBound...].dropLast().utf8))
    let links = (parsed as? [String: [NSNumber]] ?? [:]).mapValues { $0.map(\.int64Value).sorted() }
    self.init(text: String(line[..<range.lowerBound]), backlinks: links)
  }
}
