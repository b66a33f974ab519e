import Foundation
import TestSupport
import Testing

@testable import Larder

/// Leads to others in every way.
private final class Link: Object {
  @Persisted var next: Link?
  @Persisted var list: List<Link>
  @Persisted var set: MutableSet<Link>
  @Persisted var map: Map<String, Link?>
  @Persisted var any: AnyRealmValue
  @Persisted var part: LinkPart?
}

private final class LinkPart: EmbeddedObject {
  @Persisted var next: Link?
}

@Suite("Long chains of unmanaged objects") struct LongChainTests {
  @Test("F-46: a chain of 150,000 unmanaged objects is freed, whatever it goes over", arguments: 0..<6)
  func chains(_ kind: Int) {
    let length = kind == 0 ? 150_000 : 20_000
    weak var last: Link?
    weak var first: Link?
    do {
      var current = Link()
      last = current
      for _ in 1..<length {
        let link = Link()
        switch kind {
        case 0: link.next = current
        case 1: link.list.append(current)
        case 2: link.set.insert(current)
        case 3: link.map["a"] = current
        case 4: link.any = .fromDictionary(["a": .fromArray([.object(current)])])
        default: link.part = LinkPart(value: ["next": current])
        }
        current = link
      }
      first = current
      #expect(last != nil && first != nil)
    }
    #expect(last == nil && first == nil)
  }

  @Test("F-46: what someone else holds stays as it is when a long chain before it is freed") func kept() {
    let end = Link()
    end.next = Link()
    end.list.append(Link())
    let shared = List<Link>()
    shared.append(Link())
    do {
      var current = Link()
      current.next = end
      for _ in 0..<50_000 {
        let link = Link()
        link.next = current
        current = link
      }
    }
    #expect(end.next != nil && end.list.count == 1 && shared.count == 1)
  }

  @Test("F-46: a detached copy of a long chain is freed as well") func detached() throws {
    let realm = try makeRealm([Link.self, LinkPart.self])
    let first = try realm.write {
      var current = realm.create(Link.self)
      for _ in 1..<30_000 {
        let link = realm.create(Link.self)
        link.next = current
        current = link
      }
      return current
    }
    weak var copy: Link?
    do {
      let made = first.detached()
      copy = made
      #expect(made.next?.next != nil)
    }
    #expect(copy == nil)
  }
}
