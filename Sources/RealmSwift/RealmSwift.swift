// Larder under the name that programs written for RealmSwift import, so that their import lines and names like `RealmSwift.Realm` can stay.
@_exported import Larder
