import Dispatch
import Foundation

extension Results {
  public func observe(
    keyPaths: [String]?, on queue: DispatchQueue?,
    _ block: @escaping (RealmCollectionChange<Results<Element>>) -> Void
  ) -> NotificationToken {
    CollectionObservation.observe(self, state, keyPaths, queue, block) { Results($0) }
  }
}

extension List {
  public func observe(
    keyPaths: [String]?, on queue: DispatchQueue?, _ block: @escaping (RealmCollectionChange<List<Element>>) -> Void
  ) -> NotificationToken {
    CollectionObservation.observe(self, keyPaths, queue, block)
  }
}

extension MutableSet {
  public func observe(
    keyPaths: [String]?, on queue: DispatchQueue?,
    _ block: @escaping (RealmCollectionChange<MutableSet<Element>>) -> Void
  ) -> NotificationToken {
    CollectionObservation.observe(self, keyPaths, queue, block)
  }
}

extension LinkingObjects {
  public func observe(
    keyPaths: [String]?, on queue: DispatchQueue?,
    _ block: @escaping (RealmCollectionChange<LinkingObjects<Element>>) -> Void
  ) -> NotificationToken {
    CollectionObservation.observe(self, makeState("observed"), keyPaths, queue, block) {
      LinkingObjects(propertyName, $0)
    }
  }
}

extension Map {
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmMapChange<Map<Key, Value>>) -> Void
  ) -> NotificationToken {
    CollectionObservation.observe(self, keyPaths, queue, block)
  }
}
