import Foundation
import LarderSyncProtocol

extension UserClaims {
  /// The claims of an object of JSON, as a token has them in its middle part: for trying out roles, without a signature and times.
  ///
  /// - Throws: `TokenFailure.invalid` for what is no object of JSON.
  public init(unsigned json: [UInt8]) throws(TokenFailure) {
    do {
      let payload = try JSONDecoder().decode(TokenPayload.self, from: Data(json))
      var subject = ""
      if case .string(let text)? = payload.values["sub"]?.first { subject = text.string }
      self.init(subject: subject, expires: .max, values: payload.values)
    } catch {
      throw .invalid("The claims are no object of JSON: write {\"sub\": \"ann\", \"groups\": [\"a\", \"b\"]}.")
    }
  }
}
