import Foundation

/// The folder of stores that no place was said for: the folder for data of programs that the XDG base directory specification names.
package enum DefaultFolder {
  package static var path: String {
    path(environment: ProcessInfo.processInfo.environment, home: FileManager.default.homeDirectoryForCurrentUser.path)
  }

  /// A value that is no absolute path counts as none, as that specification says.
  static func path(environment: [String: String], home: String) -> String {
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
      return URL(fileURLWithPath: data + "/larder").standardizedFileURL.path
    }
    return URL(fileURLWithPath: home + "/.local/share/larder").standardizedFileURL.path
  }

  /// Makes the folder when a store is to be made in it. Any other folder has to be there: a wrong path is a mistake to be reported.
  static func prepare(for path: String, folder: String = DefaultFolder.path) throws {
    guard (path as NSString).deletingLastPathComponent == folder, !FileManager.default.fileExists(atPath: path) else {
      return
    }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      let isDenied = (error as? CocoaError)?.code == .fileWriteNoPermission
      throw Realm.Error.make(
        isDenied ? .filePermissionDenied : .fileAccess,
        "The folder for the default Realm, '\(folder)', cannot be made. Set XDG_DATA_HOME, or the fileURL of the configuration, to a "
          + "folder that can be written.", path: path, underlying: error)
    }
    let former = FileManager.default.currentDirectoryPath + "/default.realm"
    if former != path, FileManager.default.fileExists(atPath: former) {
      Logger.shared.log(
        .warn,
        "A new default Realm is made at '\(path)'. There is one in the working directory, where former versions kept it: '\(former)'. "
          + "Move it there, or set the fileURL of the configuration.")
    }
  }
}
