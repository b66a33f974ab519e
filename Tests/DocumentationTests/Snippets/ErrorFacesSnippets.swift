import Testing

@testable import Larder

// begin: faces
extension Realm {
  // The core throws. It is internal, checks everything before it changes anything, and says all there is to say.
  fileprivate func emptyClass(_ name: String) throws {
    try core.verifyThread()
    try core.verifyWriting { "Empty \(name) inside realm.write { }." }
    guard let model = core.models.first(where: { $0.name == name }) else {
      throw Realm.Error.invalid("There is no class '\(name)' to be emptied.", className: name)
    }
    try core.openWriter().deleteAll(core.cursor(for: model.type).classID)
    core.noteChange()
  }

  // The plain face: RealmSwift's signature. The message of the error ends the process.
  fileprivate func empty(_ name: String) { orMisuse { try emptyClass(name) } }
}

extension Throwing<Realm> {
  /// `Realm.empty(_:)` that throws.
  fileprivate func empty(_ name: String) throws(Realm.Error) { try orRealmError { try base.emptyClass(name) } }
}
// end: faces

@Suite("The two faces of a call, by their example") struct ErrorFacesSnippets {
  class Thing: Object { @Persisted var value: Int }

  @Test func bothFaces() throws {
    let realm = try Realm(
      configuration: Realm.Configuration(inMemoryIdentifier: "error-faces", objectTypes: [Thing.self]))
    #expect(errorCode { try realm.throwing.empty("Thing") } == .fail)
    try realm.write {
      realm.create(Thing.self)
      #expect(errorCode { try realm.throwing.empty("Nothing") } == .invalidInput)
      realm.empty("Thing")
    }
    #expect(realm.objects(Thing.self).isEmpty)
  }
}
