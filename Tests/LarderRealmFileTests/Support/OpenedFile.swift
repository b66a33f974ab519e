import Foundation
import TestBasics

@testable import LarderRealmFile

/// A file made of bytes, with the folder in which it is.
struct OpenedFile {
  let directory: TemporaryDirectory
  let file: RealmFile

  init(_ bytes: [UInt8], key: Data? = nil) throws {
    directory = try TemporaryDirectory("realm")
    file = try RealmFile(fileURL: URL(fileURLWithPath: directory.write(bytes, to: "test.realm")), encryptionKey: key)
  }

  /// The values of a property of all objects of a class.
  func values(_ className: String, _ property: String) throws -> [RealmFileValue] {
    let objectClass = file.classes.first { $0.name == className }
    guard let objectClass, let index = objectClass.propertyIndex(property) else { return [] }
    var result: [RealmFileValue] = []
    try file.forEachCluster(of: objectClass) { cluster in
      let column = try cluster.values(of: index)
      result += (0..<column.count).map { column[$0] }
    }
    return result
  }

  func keys(_ className: String) throws -> [Int64] {
    var keys: [Int64] = []
    for objectClass in file.classes where objectClass.name == className {
      try file.forEachCluster(of: objectClass) { keys += $0.keys }
    }
    return keys
  }
}
