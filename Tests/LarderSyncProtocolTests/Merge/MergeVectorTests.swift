@testable import LarderSyncProtocol
import Testing

@Suite("Vectors of the merge rules")
struct MergeVectorTests {
  @Test("MR-7 to MR-14, MR-13, MR-24: the object is as given, T01 to T40, D11 to D17", arguments: MergeVector.all)
  func vector(_ vector: MergeVector) {
    var object = VectorObject()
    #expect(vector.run(&object) == vector.expected)
  }

  @Test("MR-22: trimming leaves what devices see, T67", arguments: MergeVector.all)
  func trimmed(_ vector: MergeVector) {
    var object = VectorObject()
    _ = vector.run(&object)
    let before = object.state.properties()
    object.state.trim()
    #expect(object.state.isKnown == object.state.isAlive)
    if object.state.isAlive { #expect(object.state.properties() == before) }
  }
}
