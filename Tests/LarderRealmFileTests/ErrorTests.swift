import Testing

@testable import LarderRealmFile

@Suite struct ErrorTests {
  @Test func anErrorSaysItsMessage() {
    #expect("\(RealmFileError(.damaged, "the file is damaged"))" == "the file is damaged")
  }
}
