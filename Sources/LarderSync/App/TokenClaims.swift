import Foundation

/// The claims of a token. They are read here, and verified by the server.
struct TokenClaims: Hashable, Sendable {
  /// The user whom the token is for: `sub`.
  let subject: String
  /// The only set of data that it is for: `tenant`; nil when it does not say.
  let tenant: String?
  /// The time when the token ends, in seconds since 1970; nil for one that does not end.
  let expires: Double?
  /// All of it, as JSON.
  let payload: Data
  /// The token itself, without the spaces and line ends around it.
  let token: String

  /// - Throws: `AppError.invalidParameter` for text that is no JSON Web Token with a `sub`.
  init(_ text: String) throws {
    token = Self.trimmed(text)
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ $0.utf8.allSatisfy(Self.isAllowed) }),
      let payload = Self.decoded(parts[1]),
      let object = try? JSONSerialization.jsonObject(with: payload) as? [String: Any]
    else {
      throw AppError.make(
        .invalidParameter, "The token is no JSON Web Token: three parts of base64url with dots between them.")
    }
    guard let subject = object["sub"] as? String, !subject.isEmpty else {
      throw AppError.make(.invalidParameter, "The token names no user: it needs the claim 'sub'.")
    }
    self.subject = subject
    tenant = object["tenant"] as? String
    self.payload = payload
    expires = (object["exp"] as? NSNumber)?.doubleValue
  }

  /// A token as a file has it, which often ends with a line end.
  static func trimmed(_ text: String) -> String { text.trimmingCharacters(in: .whitespacesAndNewlines) }

  /// Returns true if a byte is one of base64url. Some signers fill the last group up.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "="):
      true
    default: false
    }
  }

  private static func decoded(_ text: Substring) -> Data? {
    var text = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    while text.utf8.count % 4 != 0 { text += "=" }
    return Data(base64Encoded: text)
  }

  /// The claims by name, as programs have values.
  var values: [String: AnyRealmValue] {
    let object = (try? JSONSerialization.jsonObject(with: payload)) as? [String: Any] ?? [:]
    return object.mapValues { Self.value($0) }
  }

  private static func value(_ value: Any) -> AnyRealmValue {
    switch value {
    case let text as String: .string(text)
    case let list as [Any]: .fromArray(list.map { Self.value($0) })
    case let object as [String: Any]: .fromDictionary(object.mapValues { Self.value($0) })
    case let number as NSNumber: Self.number(number)
    default: AnyRealmValue.none
    }
  }

  private static func number(_ number: NSNumber) -> AnyRealmValue {
    // JSON's true and false are numbers of one byte.
    if String(cString: number.objCType) == "c" { return .bool(number.boolValue) }
    return number.doubleValue == Double(number.intValue) ? .int(number.intValue) : .double(number.doubleValue)
  }
}
