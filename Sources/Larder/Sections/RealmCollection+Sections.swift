/// Grouping elements by a key: always sort, then section (S-3).
extension RealmCollection {
  /// Sections of the elements, sorted by descriptors, of which there must be one at least.
  ///
  /// - Parameters:
  ///   - sortDescriptors: The order, which need not have to do with the key.
  ///   - keyBlock: The key of an element; must be pure. Called for every element whenever anything changed.
  public func sectioned<Key>(sortDescriptors: [SortDescriptor], _ keyBlock: @escaping ((Element) -> Key))
    -> SectionedResults<Key, Element> where Key: _Persistable, Key: Hashable
  {
    sectioned(by: keyBlock, sortedBy: sortDescriptors)
  }

  fileprivate func sectioned<Key>(by keyBlock: @escaping ((Element) -> Key), sortedBy descriptors: [SortDescriptor])
    -> SectionedResults<Key, Element> where Key: _Persistable, Key: Hashable
  {
    if descriptors.isEmpty { misuse("Sections need at least one sort descriptor.") }
    return SectionedResults(SectionedState(sorted(by: descriptors), keyBlock))
  }

  /// Sections of a collection of values, sorted by the values themselves.
  public func sectioned<Key>(by block: @escaping ((Element) -> Key), ascending: Bool = true)
    -> SectionedResults<Key, Element> where Key: _Persistable, Key: Hashable
  {
    sectioned(sortDescriptors: [SortDescriptor(keyPath: "self", ascending: ascending)], block)
  }
}

extension Results {
  /// Sections of the elements, sorted by descriptors, of which there must be one at least.
  public func sectioned<Key>(sortDescriptors: [SortDescriptor], _ keyBlock: @escaping (Element) -> Key)
    -> SectionedResults<Key, Element> where Key: _Persistable, Key: Hashable
  {
    sectioned(by: keyBlock, sortedBy: sortDescriptors)
  }
}

extension RealmCollection where Element: ObjectBase {
  /// Sections by a property, sorted by it.
  ///
  /// A computed property that reads one stored property sorts by what it reads, and sections by what it returns; one that reads none
  /// or several is misuse (S-5).
  public func sectioned<Key>(by keyPath: KeyPath<Element, Key>, ascending: Bool = true)
    -> SectionedResults<Key, Element> where Key: _Persistable, Key: Hashable
  {
    sectioned(sortDescriptors: [SortDescriptor(keyPath: SectionSort.path(keyPath), ascending: ascending)]) {
      $0[keyPath: keyPath]
    }
  }

  /// Sections by a property, which the first descriptor must name too (S-4).
  public func sectioned<Key>(by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor])
    -> SectionedResults<Key, Element> where Key: _Persistable, Key: Hashable
  {
    SectionSort.check(SectionSort.path(keyPath), sortDescriptors)
    return sectioned(sortDescriptors: sortDescriptors) { $0[keyPath: keyPath] }
  }

  /// Sections by any key of the elements, sorted by descriptors that need not have to do with it.
  ///
  /// ```swift
  /// let byLetter = people.sectioned(
  ///   by: { String($0.name.prefix(1)) }, sortDescriptors: [SortDescriptor(keyPath: "name")])
  /// for section in byLetter { print(section.key, section.count) }
  /// ```
  ///
  /// No descriptor at all is misuse. On the Realm's thread. Costs nothing before it is needed, then a sort and a call of the block for each
  /// object.
  public func sectioned<Key>(by block: @escaping ((Element) -> Key), sortDescriptors: [SortDescriptor])
    -> SectionedResults<Key, Element> where Key: _Persistable, Key: Hashable
  {
    sectioned(sortDescriptors: sortDescriptors, block)
  }
}

enum SectionSort {
  /// Returns the path to sort by; misuse for a key path that reads nothing stored, or more than one property.
  static func path<Element: ObjectBase, Key>(_ keyPath: KeyPath<Element, Key>) -> String {
    guard let path = _KeyPathTrace.onlyName(of: keyPath) else {
      misuse(
        "The section key path of \(Element.className()) reads several stored properties, so that it does not say which to "
          + "sort by; use sectioned(by: { … }, sortDescriptors:).")
    }
    if path.isEmpty {
      misuse(
        "The section key path of \(Element.className()) reads no stored property and cannot be sorted by; use "
          + "sectioned(by: { … }, sortDescriptors:).")
    }
    return path
  }

  static func check(_ path: String, _ descriptors: [SortDescriptor]) {
    guard let first = descriptors.first else { misuse("Sections need at least one sort descriptor.") }
    if first.keyPath != path {
      misuse("The section key path must match the primary sort descriptor: '\(path)' is not '\(first.keyPath)'.")
    }
  }
}
