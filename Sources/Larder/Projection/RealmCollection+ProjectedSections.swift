extension RealmCollection {
  /// Sections of projections by a projected property, sorted by it.
  public func sectioned<Key, O>(by keyPath: KeyPath<Element, Key>, ascending: Bool = true)
    -> SectionedResults<Key, Element> where Key: _Persistable, Key: Hashable, O: ObjectBase, Element: Projection<O>
  {
    sectioned(sortDescriptors: [SortDescriptor(keyPath: Element.path(of: keyPath), ascending: ascending)]) {
      $0[keyPath: keyPath]
    }
  }

  /// Sections of projections by a projected property, which the first descriptor must name too (S-4).
  public func sectioned<Key, O>(by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor])
    -> SectionedResults<Key, Element> where Key: _Persistable, Key: Hashable, O: ObjectBase, Element: Projection<O>
  {
    SectionSort.check(Element.path(of: keyPath), sortDescriptors)
    return sectioned(sortDescriptors: sortDescriptors) { $0[keyPath: keyPath] }
  }

  /// Sections of projections by any key.
  public func sectioned<Key, O>(by block: @escaping ((Element) -> Key), sortDescriptors: [SortDescriptor])
    -> SectionedResults<Key, Element> where Key: _Persistable, Key: Hashable, O: ObjectBase, Element: Projection<O>
  {
    sectioned(sortDescriptors: sortDescriptors, block)
  }
}
