/// Something wrong in a store, found by `StoreVerifier`.
package struct StoreProblem: Hashable, Sendable, CustomStringConvertible {
  /// The structure that is wrong.
  package enum Structure: String, Sendable, CaseIterable {
    case catalog, presence, leaf, large, list, index, backlink, embedded, log, page
  }

  package var structure: Structure
  /// The place of the problem: class, property, cluster, object, as far as it applies.
  package var location: String
  package var message: String

  package init(_ structure: Structure, _ location: String, _ message: String) {
    self.structure = structure
    self.location = location
    self.message = message
  }

  package var description: String { "\(structure.rawValue): \(location): \(message)" }
}
