import Foundation
import RealmSwift

/// A preference of the user, by its name.
@objcMembers
public class Setting: Object {
  dynamic public var name = ""
  dynamic public var value: String?
  /// How often it was set.
  dynamic public var revision = 0

  override public static func primaryKey() -> String? {
    return "name"
  }
}

/// What happened to the preferences.
public class Log: Object {
  @objc dynamic public var line = ""
}

/// The preferences in a Realm.
public struct Settings {
  private let realm: Realm

  public init(_ realm: Realm) {
    self.realm = realm
  }

  public var names: [String] {
    return realm.objects(Setting.self).sorted(byKeyPath: "name").map { $0.name }
  }

  public var lines: [String] {
    return realm.objects(Log.self).map { $0.line }
  }

  public func value(of name: String) -> String? {
    return realm.object(ofType: Setting.self, forPrimaryKey: name)?.value
  }

  public func set(_ name: String, to value: String?) throws {
    try realm.write {
      let setting = realm.object(ofType: Setting.self, forPrimaryKey: name) ?? realm.create(Setting.self, value: ["name": name])
      setting.value = value
      setting.revision += 1
    }
  }
}
