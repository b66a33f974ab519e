import AdoptRewriting
import Foundation

/// Finds Swift files, reads them, and writes them back.
enum SourceFiles {
  private static let skippedFolders: Set<String> = ["Pods", "Carthage"]

  /// The Swift files of paths, in folders at any depth, each once. Hidden folders and those of package managers are left out.
  static func find(_ paths: [String]) throws(AdoptFailure) -> [String] {
    var result: [String] = []
    for path in paths {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { throw .notFound(path: path) }
      if isFolder.boolValue { try collect(path, &result) } else { result.append(path) }
    }
    var seen: Set<String> = []
    return result.filter { seen.insert(URL(fileURLWithPath: $0).resolvingSymlinksInPath().path).inserted }
  }

  private static func collect(_ folder: String, _ result: inout [String]) throws(AdoptFailure) {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw .unreadable(path: folder, reason: error.localizedDescription)
    }
    for name in names.sorted() where !name.hasPrefix(".") {
      let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
      let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
      if type == .typeDirectory {
        if !skippedFolders.contains(name) { try collect(path, &result) }
      } else if name.hasSuffix(".swift") {
        result.append(path)
      }
    }
  }

  static func read(_ path: String) throws(AdoptFailure) -> SourceText {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw .unreadable(path: path, reason: error.localizedDescription)
    }
    guard String(validating: data, as: UTF8.self) != nil else { throw .notText(path: path) }
    return SourceText(Array(data))
  }

  /// Replaces a file by another one with its mode, so that a kill leaves the old or the new one. A symbolic link stays one.
  static func write(_ text: SourceText, to path: String) throws(AdoptFailure) {
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    let name = ".\(target.lastPathComponent).larder-adopt-\(ProcessInfo.processInfo.processIdentifier)"
    let unfinished = target.deletingLastPathComponent().appendingPathComponent(name)
    do {
      let mode = try FileManager.default.attributesOfItem(atPath: target.path)[.posixPermissions]
      try Data(text.bytes).write(to: unfinished)
      if let mode { try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: unfinished.path) }
    } catch {
      try? FileManager.default.removeItem(at: unfinished)
      throw .unwritable(path: path, reason: error.localizedDescription)
    }
    guard rename(unfinished.path, target.path) == 0 else {
      let reason = String(cString: strerror(errno))
      try? FileManager.default.removeItem(at: unfinished)
      throw .unwritable(path: path, reason: reason)
    }
  }
}
