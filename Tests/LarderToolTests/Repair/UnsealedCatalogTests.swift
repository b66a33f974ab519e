import Foundation
import LarderExchange
import LarderInspection
import TestSupport
import Testing

@testable import LarderStorage

/// Stores of the first version, whose catalogs have no checksums.
@Suite struct UnsealedCatalogTests {
  /// Takes the checksums off the catalog of a store.
  private func unseal(_ path: String) throws {
    let planter = try DamagePlanter(path)
    for key in [StoreLayout.identityKey, StoreLayout.schemaKey, StoreLayout.stateKey] {
      try planter.catalog(key) { $0.removeLast(8) }
    }
    try planter.commit()
  }

  @Test("F-50: check says that a catalog has no checksums and how to get them, and the next commit gives it them")
  func sealing() throws {
    try withTemporaryDirectory { directory in
      let path = directory.file("first.larder")
      try SoundStore.make(path)
      #expect(try expectLarder("check", path, "--deep").contains("checksums") == false)
      try unseal(path)
      let told = try expectLarder("check", path, "--deep")
      #expect(
        told.contains("note: The catalog of '\(path)' has no checksums") && told.contains("The next commit"), "\(told)")
      let json = try expectLarder("check", path, "--json")
      #expect(json.contains("\"sound\": true") && json.contains("has no checksums"), "\(json)")
      do {
        let writer = try StoreAccess.open(writing: path).beginWrite()
        _ = try writer.create(try #require(writer.schema["Plain"]).id)
        try writer.commit()
      }
      #expect(try !expectLarder("check", path, "--deep").contains("checksums"))
      // From then on a changed letter of a name is found.
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      var start = bytes.startIndex
      while let found = bytes.range(of: Data("score".utf8), in: start..<bytes.endIndex) {
        bytes[found.lowerBound] ^= 1
        start = found.upperBound
      }
      let changed = directory.file("changed.larder")
      try bytes.write(to: URL(fileURLWithPath: changed))
      #expect(try larder("check", changed).status == 1)
    }
  }
}
