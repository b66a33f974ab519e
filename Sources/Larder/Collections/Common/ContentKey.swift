import LarderStorage

/// An element of a collection in memory as that collection compares it: as the store would hold it, texts by their bytes, numbers of all
/// types by value, and NaN as one value. A collection in memory takes for one what a managed collection takes for one (F-120).
///
/// Objects compare as `Object` does, because an object keeps its place in a collection when it becomes managed. A custom type that is stored
/// as an object compares by its own equality, because each reading of its stored form makes another object.
enum ContentKey: Hashable {
  case value(ValueIdentity)
  case object(ObjectBase)
  case list([ContentKey])
  case dictionary([Entry])
  case own(AnyHashable)

  /// An entry of a dictionary within a value of any type.
  struct Entry: Hashable {
    let key: MapKeyText
    let value: ContentKey
  }

  static func == (lhs: ContentKey, rhs: ContentKey) -> Bool {
    switch (lhs, rhs) {
    case (.value(let a), .value(let b)): a == b
    case (.object(let a), .object(let b)): a.isEqual(b)
    case (.list(let a), .list(let b)): a.elementsEqual(b, by: isSameContent)
    case (.dictionary(let a), .dictionary(let b)):
      a.elementsEqual(b) { $0.key == $1.key && isSameContent($0.value, $1.value) }
    case (.own(let a), .own(let b)): a == b
    default: false
    }
  }

  /// Each reading of a nested collection makes accessors of its objects: two that show one row are the same content (F-11).
  private static func isSameContent(_ a: ContentKey, _ b: ContentKey) -> Bool {
    if case .object(let a) = a, case .object(let b) = b { return a.isEqual(b) || a.isSameRow(as: b) }
    return a == b
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .value(let value): hasher.combine(value)
    case .object(let object): hasher.combine(object.hash)
    // Two accessors of one row may hash unlike, so that nested objects count by their number only.
    case .list(let elements): hasher.combine(elements.count)
    case .dictionary(let entries): entries.forEach { hasher.combine($0.key) }
    case .own(let value): hasher.combine(value)
    }
  }
}

/// Makes the keys of one type of elements. A cast for each element would cost more than the key.
struct ContentKeys<Element: RealmCollectionValue> {
  private enum Form { case value, any, object, own }

  private let form: Form

  init() {
    let type = Element.self as? any _RealmSchemaDiscoverable.Type
    form =
      if Element._rlmHoldsObject {
        .object
      } else if type?._rlmType == .any {
        .any
      } else if type?._rlmObjectClass != nil {
        .own
      } else {
        .value
      }
  }

  func key(_ element: Element) -> ContentKey {
    switch form {
    case .value: .value(ValueIdentity(element._rlmStored(in: nil)))
    case .object: ValueConverter.object(element).map { .object($0) } ?? .value(ValueIdentity(.null))
    case .any:
      Self.key(AnyRealmValue._rlmFromObjc(element._rlmObjcValue, insideOptional: true) ?? AnyRealmValue.none, depth: 0)
    case .own: .own(AnyHashable(element))
    }
  }

  func areEqual(_ left: some Sequence<Element>, _ right: some Sequence<Element>) -> Bool {
    left.elementsEqual(right) { key($0) == key($1) }
  }

  private static func key(_ value: AnyRealmValue, depth: Int) -> ContentKey {
    // Deeper ones cannot be stored; one that holds itself has no end.
    guard depth <= StoreLayout.maximumNesting else { return .value(ValueIdentity(.null)) }
    switch value {
    case .object(let object): return .object(object)
    case .list(let list): return .list(list.map { key($0, depth: depth + 1) })
    case .dictionary(let map):
      return .dictionary(
        map.asKeyValueSequence().map { .init(key: MapKeyText($0.key), value: key($0.value, depth: depth + 1)) })
    default: return .value(ValueIdentity(value._rlmStored(in: nil)))
    }
  }
}
