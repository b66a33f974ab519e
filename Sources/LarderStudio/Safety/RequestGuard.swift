/// The rule of which requests are answered at all: those of this page, from this computer or through a tunnel to it.
package struct RequestGuard: Sendable {
  private let token: StudioToken

  package init(token: StudioToken) { self.token = token }

  private static let hosts: Set<String> = ["127.0.0.1", "localhost", "[::1]"]

  /// Headers that every answer has.
  package static let headers: [(name: String, value: String)] = [
    (
      "Content-Security-Policy",
      "default-src 'self'; style-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'"
    ),
    ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer"),
    ("Cache-Control", "no-store"), ("Cross-Origin-Resource-Policy", "same-origin"),
  ]

  /// Refuses names of other hosts (a foreign page whose name was made to lead here) and requests that pages of other origins make.
  ///
  /// - Throws: `RequestFault` with status 403.
  package func checkPlace(_ request: StudioRequest) throws {
    guard let host = request.headers["host"]?.lowercased(), Self.hosts.contains(Self.name(host)) else {
      throw Self.forbidden("The request is for another host: open the address that 'larder studio' printed.")
    }
    guard let origin = request.headers["origin"] else { return }
    guard origin.lowercased() == "http://\(host)" else {
      throw Self.forbidden("The request comes from a page of another origin.")
    }
  }

  /// Refuses requests without the token. It is never in a cookie: a browser sends those to every server of this computer, whatever its port.
  ///
  /// - Throws: `RequestFault` with status 403.
  package func checkToken(_ request: StudioRequest) throws {
    if let given = request.headers["x-larder-token"], token.matches(given) { return }
    throw Self.forbidden("The token is wrong or missing: open the address that 'larder studio' printed.")
  }

  private static func forbidden(_ message: String) -> RequestFault {
    RequestFault(message, status: 403, kind: "forbidden")
  }

  /// A host without its port: a tunnel may have another one.
  private static func name(_ host: String) -> String {
    guard let colon = host.lastIndex(of: ":"), host[host.index(after: colon)...].allSatisfy(\.isNumber) else {
      return host
    }
    return String(host[..<colon])
  }
}
