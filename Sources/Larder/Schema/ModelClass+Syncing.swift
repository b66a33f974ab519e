import LarderStorage

extension ModelClass {
  /// The declaration that a store that is synced is to have.
  var syncedDeclaration: ClassDeclaration {
    var result = declaration
    if let type = type as? Object.Type { result.syncMode = type.syncMode() == .synced ? .synced : .local }
    if type.isAsymmetric() { result.syncMode = .asymmetric }
    return result
  }
}
