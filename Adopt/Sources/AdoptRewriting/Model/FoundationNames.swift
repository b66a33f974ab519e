import SwiftSyntax

/// Names of Foundation that `import RealmSwift` brought along on Apple's systems, and `import Larder` does not.
enum FoundationNames {
  /// Modules that bring Foundation.
  static let modules: Set<String> = [
    "Foundation", "FoundationEssentials", "UIKit", "AppKit", "Cocoa", "SwiftUI", "WatchKit", "Combine", "XCTest",
    "MapKit", "CoreData",
    "CoreLocation", "CoreGraphics", "QuartzCore", "CloudKit", "StoreKit", "AVFoundation", "UserNotifications",
    "Testing",
  ]

  private static let types: Set<String> = [
    "AttributedString", "Bundle", "CGFloat", "CGPoint", "CGRect", "CGSize", "Calendar", "CharacterSet", "CocoaError",
    "Data", "Date",
    "DateComponents", "DateFormatter", "DateInterval", "Decimal", "DispatchGroup", "DispatchQueue", "DispatchSemaphore",
    "DispatchTime",
    "FileHandle", "FileManager", "ISO8601DateFormatter", "IndexPath", "IndexSet", "JSONDecoder", "JSONEncoder",
    "JSONSerialization",
    "Locale", "LocalizedError", "Measurement", "Notification", "NotificationCenter", "NumberFormatter", "Operation",
    "OperationQueue",
    "ProcessInfo", "Progress", "PropertyListDecoder", "PropertyListEncoder", "RunLoop", "Scanner", "Thread",
    "TimeInterval", "TimeZone",
    "Timer", "URL", "URLComponents", "URLError", "URLQueryItem", "URLRequest", "URLSession", "UUID", "UserDefaults",
  ]
  private static let functions: Set<String> = [
    "autoreleasepool", "ceil", "exp", "floor", "fmod", "log", "log10", "log2", "pow", "round", "sin", "cos", "sqrt",
    "usleep", "sleep",
  ]
  private static let members: Set<String> = [
    "addingPercentEncoding", "appendingPathComponent", "appendingPathExtension", "capitalized",
    "caseInsensitiveCompare", "components",
    "contentsOf", "data", "deletingLastPathComponent", "lastPathComponent", "localizedCaseInsensitiveCompare",
    "localizedCaseInsensitiveContains", "localizedDescription", "localizedStandardCompare", "localizedStandardContains",
    "pathExtension",
    "range", "replacingOccurrences", "timeIntervalSince", "timeIntervalSince1970", "timeIntervalSinceNow",
    "trimmingCharacters",
  ]
  /// Members of other types have these names, too: they are Foundation's with one of these labels.
  private static let labels: [String: Set<String>] = [
    "components": ["separatedBy"], "contentsOf": ["encoding"], "data": ["using"], "range": ["of"],
  ]

  /// True if a file uses one of them. Names that the program declares are its own.
  static func areUsed(in tree: SourceFileSyntax, of program: Program) -> Bool {
    tree.tokens(viewMode: .sourceAccurate).contains { token in
      guard case .identifier(let name) = token.tokenKind, !program.declaresSomewhere(name) else { return false }
      if token.parent?.is(IdentifierTypeSyntax.self) ?? false { return isType(name) }
      guard let reference = token.parent?.as(DeclReferenceExprSyntax.self) else { return false }
      let call = reference.parent?.as(FunctionCallExprSyntax.self)
      if let access = reference.parent?.as(MemberAccessExprSyntax.self), access.declName.id == reference.id {
        guard members.contains(name) else { return false }
        guard let wanted = labels[name] else { return true }
        let found = access.parent?.as(FunctionCallExprSyntax.self)?.arguments.compactMap { $0.label?.text } ?? []
        return !wanted.isDisjoint(with: found)
      }
      let isFormat = name == "String" && call?.arguments.first?.label?.text == "format"
      return isType(name) || isFormat || (call != nil && functions.contains(name))
    }
  }

  private static func isType(_ name: String) -> Bool {
    types.contains(name) || (name.hasPrefix("NS") && name.dropFirst(2).first?.isUppercase ?? false)
  }
}
