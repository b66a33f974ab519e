/// A collection that may be in memory, where predicates are evaluated element by element.
protocol SearchableInMemory {
  /// The elements in order; nil for a managed collection.
  var elementsInMemory: [Any]? { get }
}

extension List: SearchableInMemory {
  var elementsInMemory: [Any]? { location == nil ? unmanaged.map { $0 as Any } : nil }
}

extension AnyRealmCollection: SearchableInMemory {
  var elementsInMemory: [Any]? { base.elementsInMemory }
}
