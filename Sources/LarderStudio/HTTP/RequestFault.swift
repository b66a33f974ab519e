/// A request that cannot be answered, and the status that says so.
package struct RequestFault: Error, Hashable, Sendable, CustomStringConvertible {
  package var status: Int
  package var kind: String
  package var description: String

  package init(_ description: String, status: Int = 400, kind: String = "request") {
    self.status = status
    self.kind = kind
    self.description = description
  }
}
