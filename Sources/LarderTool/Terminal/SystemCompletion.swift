import ArgumentParser
import Foundation
import LarderExchange
import LarderInspection
import LarderRealmImport
import LarderStorage

/// The completions for the system's shell that only the files and the store on the line tell.
enum SystemCompletion {
  /// The files and folders that a path can be continued to, without the lock files of stores that are there.
  static func paths(_ prefix: String) -> [String] {
    let slash = prefix.lastIndex(of: "/")
    let folder = slash.map { String(prefix[...$0]) } ?? ""
    let start = slash.map { String(prefix[prefix.index(after: $0)...]) } ?? prefix
    let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    let names = Set(all)
    return all.filter { name in
      guard name.hasPrefix(start), start.hasPrefix(".") || !name.hasPrefix("."), isPlain(folder + name) else {
        return false
      }
      return !(name.hasSuffix(lockEnding) && names.contains(String(name.dropLast(lockEnding.count))))
    }.sorted().map { folder + $0 }
  }

  private static let lockEnding = "-lock"

  /// The shell expands what it is given as a list of words: what means something to it is left out.
  private static func isPlain(_ path: String) -> Bool {
    path.allSatisfy { $0.isLetter || $0.isNumber || "/._-+@%,".contains($0) }
  }

  /// The classes of the store on the line, and after one of them its properties.
  ///
  /// - Parameters:
  ///   - words: The line, the tool's name first.
  ///   - index: The place of the word that is completed.
  static func names(_ words: [String], _ index: Int) -> [String] {
    guard words.indices.contains(index), index > 2 else { return [] }
    let before = words[2..<index]
    guard let place = before.firstIndex(where: isStore), let schema = schema(of: before[place]) else { return [] }
    let names = SchemaNames(schema: schema).candidates(after: words[(place + 1)..<index], word: words[index])
    return names.filter(isPlain)
  }

  /// A file of Realm's is none: completing a word is to make nothing.
  private static func isStore(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
      && RealmFileKind(path: path) == nil
  }

  private static func schema(of path: String) -> StoreSchema? {
    if case .none = StoreAccess.keySource {
      StoreAccess.keySource = KeySource(environment: ProcessInfo.processInfo.environment)
    }
    return try? StoreAccess.open(reading: path).snapshot().schema
  }
}

extension CompletionKind {
  /// A store, or a folder on the way to one.
  static var store: CompletionKind {
    .custom { words, index, prefix in
      SystemCompletion.paths(prefix.isEmpty && words.indices.contains(index) ? words[index] : prefix)
    }
  }

  /// A class of the store on the line, or a property of the class on it.
  static var schemaName: CompletionKind { .custom { words, index, _ in SystemCompletion.names(words, index) } }
}
