import Foundation
import KnotModel
import Larder

/// A second process that changes a store of knots at random: `KnotWorker PATH`, and lines of standard input.
///
/// A `RandomKnots` as JSON is one transaction, answered by what it noted; `run SEED FIRST COUNT` are COUNT transactions without a pause,
/// the ids of new knots from FIRST on, answered when they are done.
@main
enum KnotWorker {
  static func main() throws {
    let file = URL(fileURLWithPath: CommandLine.arguments[1])
    let realm = try Realm(configuration: .init(fileURL: file, objectTypes: [Knot.self, KnotPart.self]))
    while let line = readLine() {
      let words = line.split(separator: " ")
      if words.first == "run", words.count == 4, let seed = UInt64(words[1]), let first = Int(words[2]),
        let count = Int(words[3])
      {
        try run(realm, RandomKnots(seed: seed, firstID: first), count)
        try answer(Data("done".utf8))
      } else {
        var knots = try JSONDecoder().decode(RandomKnots.self, from: Data(line.utf8))
        try realm.write { try knots.changeSome(realm) }
        try answer(JSONEncoder().encode(knots))
      }
    }
  }

  private static func run(_ realm: Realm, _ start: RandomKnots, _ count: Int) throws {
    var knots = start
    for _ in 0..<count {
      try realm.write {
        knots.look(realm)
        try knots.changeSome(realm)
      }
    }
  }

  private static func answer(_ line: Data) throws {
    try FileHandle.standardOutput.write(contentsOf: line + Data("\n".utf8))
  }
}
