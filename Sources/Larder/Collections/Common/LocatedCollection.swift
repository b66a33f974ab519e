/// A list or a set. What both have in common beside what they share with maps is here.
protocol LocatedCollection: LocatedContents, RealmCollection, ResultsSource, HasThrowingForms
where Content == Element {
  /// The name of the type without its elements'.
  static var typeName: String { get }
}

extension LocatedCollection {
  func text(depth: Int) -> String {
    if isInvalidated { return "\(Self.self) <invalidated>" }
    let identity = String(UInt(bitPattern: ObjectIdentifier(self).hashValue), radix: 16)
    var elements = makeIterator()
    let name = "\(Self.typeName)<\(ObjectDescription.name(of: Element.self))>"
    return ObjectDescription.list(name, "0x" + identity, count) { _ in
      elements.next().map { ObjectDescription.text(of: $0, depth: depth + 1) } ?? ""
    }
  }

  func boxedElements() -> [Any] { map { $0 as Any } }

  func assignAsRead(_ value: Any, _ type: PropertyType) throws -> Bool {
    let elements = ValueConverter.sequence(value)?.map { ValueConverter.stored($0, as: type) }
    let read = elements?.compactMap { $0.flatMap { Element._rlmFromStored($0, in: nil) } }
    guard let read, read.count == elements?.count else { return false }
    return try setContents(supplied: read, nil)
  }

  /// Returns an element made from supplied contents; nil when the value does not fit.
  func converted(_ value: Any, _ maker: (any ObjectMaker)?) throws -> Element? {
    if let maker, let target = location?.target {
      if let object = try maker.linked(value, target) {
        return ValueConverter.cast(object) ?? Element._rlmFromObjc(object, insideOptional: false)
      }
      return ValueConverter.cast(value)
        ?? (ValueConverter.isNil(value) ? Element._rlmFromObjc(value, insideOptional: false) : nil)
    }
    return ValueConverter.cast(value) ?? Element._rlmFromObjc(value, insideOptional: false)
  }

  /// All elements of supplied contents; nil when they are no sequence, or one does not fit.
  func convertedElements(_ value: Any, _ maker: (any ObjectMaker)?) throws -> [Element]? {
    guard let values = ValueConverter.sequence(value) else { return nil }
    // A custom type over objects makes a value of nil, which a list of objects cannot hold (F-146).
    if Element.self is any _CustomPersistable.Type || Element.self is any AnyOptional.Type,
      (Element.self as? any _RealmSchemaDiscoverable.Type)?._rlmObjectClass != nil,
      values.contains(where: ValueConverter.isNil)
    {
      return nil
    }
    var elements: [Element] = []
    elements.reserveCapacity(values.count)
    for value in values {
      guard let element = try converted(value, maker) else { return nil }
      elements.append(element)
    }
    return elements
  }
}
