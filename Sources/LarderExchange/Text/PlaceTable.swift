/// Plain values by place. Unlike an array it has one owner, which no change has to ask for; every access is checked against the bounds.
final class PlaceTable<Element: BitwiseCopyable> {
  @exclusivity(unchecked) private var base: UnsafeMutablePointer<Element>
  @exclusivity(unchecked) private(set) var count: Int

  init(repeating value: Element, count: Int) {
    base = .allocate(capacity: count)
    base.initialize(repeating: value, count: count)
    self.count = count
  }

  deinit { base.deallocate() }

  @inline(__always)
  subscript(_ place: Int) -> Element {
    get {
      precondition(UInt(bitPattern: place) < UInt(bitPattern: count), "no such place")
      return base[place]
    }
    set {
      precondition(UInt(bitPattern: place) < UInt(bitPattern: count), "no such place")
      base[place] = newValue
    }
  }

  /// Makes sure that there are so many places.
  func grow(to wanted: Int, repeating value: Element) {
    guard wanted > count else { return }
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: wanted)
    larger.update(from: base, count: count)
    (larger + count).initialize(repeating: value, count: wanted - count)
    base.deallocate()
    (base, count) = (larger, wanted)
  }
}
