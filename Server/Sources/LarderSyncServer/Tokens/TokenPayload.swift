import JWTKit
import LarderSyncProtocol

/// The claims of a token as they are written in it. A claim of another kind than a boolean, a number, a text or a list of those is left
/// out: rules cannot ask for it.
struct TokenPayload: JWTPayload {
  let values: [String: [SyncValue]]

  init(values: [String: [SyncValue]]) { self.values = values }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Name.self)
    var values: [String: [SyncValue]] = [:]
    for name in container.allKeys {
      if let value = try? container.decode(Claim.self, forKey: name) {
        values[name.stringValue] = [value.value]
      } else if let list = try? container.decode([Claim].self, forKey: name) {
        values[name.stringValue] = list.map(\.value)
      }
    }
    self.values = values
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    for (name, list) in values {
      if list.count == 1 {
        try container.encode(Claim(value: list[0]), forKey: Name(stringValue: name))
      } else {
        try container.encode(list.map { Claim(value: $0) }, forKey: Name(stringValue: name))
      }
    }
  }

  /// Times and audience are checked by `TokenChecks`, which is given the time.
  func verify(using algorithm: some JWTAlgorithm) async throws {}

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
  }
}

/// One value of a claim.
private struct Claim: Codable {
  let value: SyncValue

  init(value: SyncValue) { self.value = value }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let flag = try? container.decode(Bool.self) {
      value = .bool(flag)
    } else if let number = try? container.decode(Int64.self) {
      value = .int(number)
    } else if let number = try? container.decode(Double.self) {
      value = .double(number)
    } else {
      value = .string(SyncText(try container.decode(String.self)))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch value {
    case .bool(let flag): try container.encode(flag)
    case .int(let number): try container.encode(number)
    case .double(let number): try container.encode(number)
    case .string(let text): try container.encode(text.string)
    default:
      throw EncodingError.invalidValue(
        value, .init(codingPath: encoder.codingPath, debugDescription: "A claim is a boolean, a number or a text."))
    }
  }
}
