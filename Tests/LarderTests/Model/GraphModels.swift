import Foundation
import Larder

/// An object that the model test changes: every kind of property that leads to others.
final class Vertex: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var text: String
  @Persisted var number: Int?
  @Persisted(indexed: true) var group: Int
  @Persisted var next: Vertex?
  @Persisted var nodes: List<Vertex>
  @Persisted var words: List<String>
  @Persisted var numbers: MutableSet<Int>
  @Persisted var peers: MutableSet<Vertex>
  @Persisted var counts: Map<String, Int>
  @Persisted var links: Map<String, Vertex?>
  @Persisted var part: VertexPart?
  @Persisted var parts: List<VertexPart>
  @Persisted var partsByName: Map<String, VertexPart?>
  @Persisted(originProperty: "next") var previous: LinkingObjects<Vertex>
}

final class VertexPart: EmbeddedObject {
  @Persisted var name: String
  @Persisted var target: Vertex?
  @Persisted var bolts: List<VertexBolt>
}

final class VertexBolt: EmbeddedObject {
  @Persisted var size: Int
}

/// The oracle: the same graph in plain values, by id.
struct VertexState: Equatable {
  struct Part: Equatable {
    var name: String
    var target: Int?
    var sizes: [Int]
  }

  var text = ""
  var number: Int?
  var group = 0
  var next: Int?
  var nodes: [Int] = []
  var words: [String] = []
  var numbers: Set<Int> = []
  var peers: Set<Int> = []
  var counts: [String: Int] = [:]
  var links: [String: Int?] = [:]
  var part: Part?
  var parts: [Part] = []
  var partsByName: [String: Part?] = [:]

  /// Takes away everything that leads to a deleted node (O-11).
  mutating func forget(_ id: Int) {
    if next == id { next = nil }
    nodes.removeAll { $0 == id }
    peers.remove(id)
    for (key, value) in links where value == id { links[key] = .some(nil) }
    if part?.target == id { part?.target = nil }
    for index in parts.indices where parts[index].target == id { parts[index].target = nil }
    for (key, value) in partsByName where value?.target == id {
      partsByName[key] = .some(value.map { Part(name: $0.name, target: nil, sizes: $0.sizes) })
    }
  }

  /// Copies the contents of a stored node.
  init(_ node: Vertex) {
    text = node.text
    number = node.number
    group = node.group
    next = node.next?.id
    nodes = node.nodes.map(\.id)
    words = Array(node.words)
    numbers = Set(node.numbers)
    peers = Set(node.peers.map(\.id))
    counts = Dictionary(uniqueKeysWithValues: node.counts.asKeyValueSequence().map { ($0.key, $0.value) })
    links = Dictionary(uniqueKeysWithValues: node.links.asKeyValueSequence().map { ($0.key, $0.value?.id) })
    part = node.part.map { Part($0) }
    parts = node.parts.map { Part($0) }
    partsByName = Dictionary(
      uniqueKeysWithValues: node.partsByName.asKeyValueSequence().map { ($0.key, $0.value.map { Part($0) }) })
  }

  init() {}
}

extension VertexState.Part {
  init(_ part: VertexPart) {
    self.init(name: part.name, target: part.target?.id, sizes: part.bolts.map(\.size))
  }
}
