import Larder

extension Operation {
  /// The sink of values that must keep a body from being optimised away.
  nonisolated(unsafe) private static var sink = 0

  @inline(never)
  private static func use(_ value: Int) { sink &+= value }

  /// The ten, by the names under which their limits are stored.
  static var all: [Operation] {
    [
      Operation(name: "read an integer") { store in
        { for object in store.objects { use(object.number) } }
      },
      Operation(name: "read a string") { store in
        { for object in store.objects { use(object.name.utf8.count) } }
      },
      Operation(name: "iterate over results") { store in
        let results = store.realm.objects(Counted.self)
        return { for object in results { use(object.number) } }
      },
      Operation(name: "look up by primary key") { store in
        {
          for id in 0..<CountedStore.size {
            use(store.realm.object(ofType: Counted.self, forPrimaryKey: id)?.number ?? 0)
          }
        }
      },
      Operation(name: "count a filtered query", calls: 100) { store in
        { for number in 0..<100 { use(store.realm.objects(Counted.self).where { $0.number == number }.count) } }
      },
      Operation(name: "assign an integer", isWriting: true) { store in
        { for object in store.objects { object.number += 1 } }
      },
      Operation(name: "append to a list", isWriting: true) { store in
        let list = store.objects[0].numbers
        return { for number in 0..<CountedStore.size { list.append(number) } }
      },
      Operation(name: "add an object", isWriting: true) { store in
        let first = store.realm.objects(Counted.self).count
        let made = (first..<first + CountedStore.size).map(CountedStore.object)
        return { for object in made { store.realm.add(object) } }
      },
      Operation(name: "update an object by adding", isWriting: true) { store in
        let made = (0..<CountedStore.size).map(CountedStore.object)
        return { for object in made { store.realm.add(object, update: .modified) } }
      },
      Operation(name: "commit one assignment", calls: 100) { store in
        let object = store.objects[0]
        return { for number in 0..<100 { try store.realm.write { object.number = 1_000 + number + object.number } } }
      },
    ]
  }
}
