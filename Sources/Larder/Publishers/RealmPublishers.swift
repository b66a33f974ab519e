#if canImport(Combine)
  import Combine
#elseif OpenCombine
  import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
  /// The publishers of Realms, objects and collections, made by their properties and by `valuePublisher` and `changesetPublisher`.
  ///
  /// A publisher observes from its subscription until that is cancelled, where the Realm is used that the thing belongs to, unless
  /// `subscribe(on:)` names another queue. What cannot be observed, such as what is unmanaged or frozen, is misuse on subscription.
  public enum RealmPublishers {
    /// Sends before a Realm changes: before the first change of a write transaction, and before the Realm moves to a newer version.
    ///
    /// Subscribed to, and sent, on the Realm's thread, queue or actor. Costs an unobserved Realm nothing.
    public struct RealmWillChange: Publisher {
      public typealias Output = Void
      public typealias Failure = Never

      let realm: Realm

      /// The same, saving the token of each subscription, so that a write can leave it out with `withoutNotifying:`.
      public func saveToken<T>(
        on object: T, for keyPath: WritableKeyPath<T, NotificationToken?>
      ) -> RealmWillChangeWithToken<T> {
        RealmWillChangeWithToken(self, TokenPlace(object, keyPath))
      }

      public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == Void {
        begin(subscriber) { _ in }
      }

      fileprivate func begin<S: Subscriber>(_ subscriber: S, _ save: (NotificationToken) -> Void)
      where S.Failure == Never, S.Input == Void {
        SubscribedToken.begin(subscriber, save) { _ in
          realm.core.checkObservable()
          // The block keeps the Realm: it is observed as long as the subscription lasts.
          return realm.core.announce(.everything) { [realm] in
            withExtendedLifetime(realm) { _ = subscriber.receive(()) }
          }
        }
      }
    }

    /// A `RealmWillChange` whose token is saved in a property.
    public class RealmWillChangeWithToken<T>: Publisher {
      public typealias Output = Void
      public typealias Failure = Never

      private let source: RealmWillChange
      private var place: TokenPlace<T>

      init(_ source: RealmWillChange, _ place: TokenPlace<T>) {
        self.source = source
        self.place = place
      }

      public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == Void {
        source.begin(subscriber) { place.save($0) }
      }
    }

    /// Sends before an object or collection changes: before the change of it in a write transaction of its Realm, once for each
    /// transaction, and before the Realm moves to a version with a change of it.
    ///
    /// For results, any change of the classes they are read from counts, as for lists any change of what they lead to. Subscribed to, and
    /// sent, where the thing's Realm is used. Costs unobserved objects nothing, and each assignment a comparison per subscription.
    public struct WillChange<Collection: RealmSubscribable>: Publisher where Collection: ThreadConfined {
      public typealias Output = Void
      public typealias Failure = Never

      let collection: Collection

      /// The same, saving the token of each subscription, so that a write can leave it out with `withoutNotifying:`.
      public func saveToken<T>(
        on object: T, at keyPath: WritableKeyPath<T, NotificationToken?>
      ) -> WillChangeWithToken<Collection, T> {
        WillChangeWithToken(self, TokenPlace(object, keyPath))
      }

      public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == Void {
        begin(subscriber) { _ in }
      }

      fileprivate func begin<S: Subscriber>(_ subscriber: S, _ save: (NotificationToken) -> Void)
      where S.Failure == Never, S.Input == Void {
        SubscribedToken.begin(subscriber, save) { _ in
          collection._observeWillChange { [collection] in
            withExtendedLifetime(collection) { _ = subscriber.receive(()) }
          }
        }
      }
    }

    /// A `WillChange` whose token is saved in a property.
    public class WillChangeWithToken<Collection: RealmSubscribable, T>: Publisher where Collection: ThreadConfined {
      public typealias Output = Void
      public typealias Failure = Never

      private let source: WillChange<Collection>
      private var place: TokenPlace<T>

      init(_ source: WillChange<Collection>, _ place: TokenPlace<T>) {
        self.source = source
        self.place = place
      }

      public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == Void {
        source.begin(subscriber) { place.save($0) }
      }
    }
  }
#endif
