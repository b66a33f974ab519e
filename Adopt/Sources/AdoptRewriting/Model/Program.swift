/// All files that were given, as one program: which classes are models, and what their members are.
package struct Program: Sendable {
  private var types: [TypePath: Merged] = [:]
  private var aliases: [TypePath: TypePath] = [:]
  private var globals: [String: MemberFacts] = [:]
  /// Names of the properties of models that hold their value in `RealmOptional` or `RealmProperty`.
  private(set) var holderNames: Set<String> = []
  /// True if a file of the program imports the library.
  private(set) var importsLibrary = false
  /// Names of functions of the program with a parameter `update` that is true or false.
  private(set) var updateTakers: Set<String> = []
  /// The last names of all types, aliases and values that it declares.
  private var declaredNames: Set<String> = []
  /// Protocols of Objective-C that models conform to, and those they refine.
  private var modelProtocols: Set<TypePath> = []

  /// A type with its extensions.
  private struct Merged: Sendable {
    var kind: TypeFacts.Kind = .extension
    var files: Set<Int> = []
    var conformances: [(path: TypePath, scope: TypePath, file: Int)] = []
    var isObjectiveC = false
    var hasObjectiveCMembers = false
    var members: [String: MemberFacts] = [:]
    var named: [NamedMethod: NamedValues] = [:]
    var declaresStoredName = false
  }

  package init(_ files: [FileFacts]) {
    for file in files {
      aliases.merge(file.aliases) { first, _ in first }
      globals.merge(file.globals) { first, _ in first }
      importsLibrary = importsLibrary || file.importsLibrary
      updateTakers.formUnion(file.updateTakers)
    }
    for (index, file) in files.enumerated() {
      for type in file.types where type.kind != .extension { add(type, type.path, index) }
    }
    for (index, file) in files.enumerated() {
      for type in file.types where type.kind == .extension {
        add(type, resolve(type.path, from: TypePath([])) ?? type.path, index)
      }
    }
    declaredNames = Set(types.filter { $0.value.kind != .extension }.keys.map(\.last))
    declaredNames.formUnion(aliases.keys.map(\.last))
    declaredNames.formUnion(globals.keys)
    for (path, type) in types where isModel(path) {
      holderNames.formUnion(type.members.filter(\.value.isHolder).keys)
      collectProtocols(of: path)
    }
  }

  private mutating func add(_ facts: TypeFacts, _ path: TypePath, _ file: Int) {
    var merged = types[path] ?? Merged()
    if facts.kind != .extension { merged.kind = facts.kind }
    merged.files.insert(file)
    let scope = facts.kind == .extension ? path : facts.scope
    merged.conformances += facts.inherited.map { ($0, scope, file) }
    merged.isObjectiveC = merged.isObjectiveC || facts.isObjectiveC
    merged.hasObjectiveCMembers = merged.hasObjectiveCMembers || facts.hasObjectiveCMembers
    merged.members.merge(facts.members) { first, _ in first }
    merged.named.merge(facts.named) { first, _ in first }
    merged.declaresStoredName = merged.declaresStoredName || facts.declaresStoredName
    types[path] = merged
  }

  private mutating func collectProtocols(of path: TypePath) {
    guard let type = types[path] else { return }
    for (name, scope, _) in type.conformances {
      guard let found = resolve(name, from: scope), types[found]?.kind == .protocol,
        modelProtocols.insert(found).inserted
      else { continue }
      collectProtocols(of: found)
    }
  }
}

// MARK: - Names

extension Program {
  /// The declaration that a name means at a place: in the types around it, the innermost first, aliases followed.
  func resolve(_ name: TypePath, from scope: TypePath) -> TypePath? { resolve(name, from: scope, steps: 0) }

  private func resolve(_ name: TypePath, from scope: TypePath, steps: Int) -> TypePath? {
    guard steps < 20, !name.isEmpty else { return nil }
    var outer = scope
    while true {
      let candidate = outer + name
      if types[candidate] != nil, types[candidate]?.kind != .extension || steps == 0 { return candidate }
      if let target = aliases[candidate], target != name || !outer.isEmpty {
        return resolve(target, from: outer, steps: steps + 1)
      }
      if outer.isEmpty { break }
      outer = outer.outer
    }
    // The program's own module before the name.
    guard name.names.count > 1, !Library.modules.contains(name.names[0]) else { return nil }
    return resolve(TypePath(Array(name.names.dropFirst())), from: TypePath([]), steps: steps + 1)
  }

  /// True if a name means a type that the program declares. An extension declares none: `extension Object` is of the library's.
  func declares(_ name: TypePath, from scope: TypePath) -> Bool {
    resolve(name, from: scope).map { types[$0]?.kind != .extension } ?? false
  }

  /// True if the program declares something of a name, wherever.
  func declaresSomewhere(_ name: String) -> Bool { declaredNames.contains(name) }

  /// Returns the name that an alias which leads out of the program means; other names are themselves.
  private func unaliased(_ name: TypePath, from scope: TypePath) -> TypePath {
    var current = name
    for _ in 0..<20 {
      var outer = scope
      while aliases[outer + current] == nil, !outer.isEmpty { outer = outer.outer }
      guard let target = aliases[outer + current], target != current else { return current }
      current = target
    }
    return current
  }

  private func superclass(_ path: TypePath) -> TypePath? {
    guard let type = types[path], type.kind == .class else { return nil }
    return type.conformances.lazy.compactMap { resolve($0.path, from: $0.scope) }.first { types[$0]?.kind == .class }
  }

  func hasSubclasses(_ path: TypePath) -> Bool { types.keys.contains { superclass($0) == path } }

  /// The class and those it derives from, as far as they are in the program.
  private func ancestry(_ path: TypePath) -> [TypePath] {
    var result: [TypePath] = []
    var next: TypePath? = path
    while let current = next, !result.contains(current) {
      result.append(current)
      next = superclass(current)
    }
    return result
  }
}

// MARK: - Models

extension Program {
  /// True if the class derives from `Object` or `EmbeddedObject`, however many classes are between.
  func isModel(_ path: TypePath) -> Bool {
    ancestry(path).contains { ancestor in
      guard let type = types[ancestor], type.kind == .class else { return false }
      return type.conformances.contains { isRoot($0.path, from: $0.scope) }
    }
  }

  private func isRoot(_ name: TypePath, from scope: TypePath) -> Bool {
    if declares(name, from: scope) { return false }
    let target = unaliased(name, from: scope)
    switch target.names.count {
    case 1: return Library.roots.contains(target.names[0])
    case 2: return Library.modules.contains(target.names[0]) && Library.roots.contains(target.names[1])
    default: return false
    }
  }

  /// True if the class, or one it derives from, derives from a name such as `Object`, whatever that means there.
  func namesRoot(_ path: TypePath) -> Bool {
    ancestry(path).contains { types[$0]?.conformances.contains { Library.roots.contains($0.path.last) } ?? false }
  }

  /// True if a property of a model is stored in objects of a Realm.
  func isPersisted(_ name: String, of path: TypePath) -> Bool {
    guard let (member, owner) = member(name, of: path), isModel(owner), member.sort == .stored, !member.isStatic,
      !ignoredNames(of: path).contains(name)
    else { return false }
    return member.isDynamic || member.isHolder || member.isCollection
  }

  /// True if a property of the class itself has no value before an initialiser gives it one.
  func needsValue(_ name: String, of path: TypePath) -> Bool {
    guard let member = types[path]?.members[name] else { return false }
    return member.sort == .stored && !member.isStatic && !member.isInitialized
  }

  /// True if the class itself has a stored property whose type has a name.
  func hasStored(_ type: String, in path: TypePath) -> Bool {
    types[path]?.members.values.contains { member in
      guard member.sort == .stored, case .named(let found) = member.type else { return false }
      return found.last == type
    } ?? false
  }

  /// True if a class derives from one whose name ends with one of the suffixes.
  func derives(_ path: TypePath, fromNameEndingIn suffixes: [String]) -> Bool {
    ancestry(path).contains { ancestor in
      types[ancestor]?.conformances.contains { type in suffixes.contains { type.path.last.hasSuffix($0) } } ?? false
    }
  }

  /// True if every member of the class is one of Objective-C, by its own attribute or that of a class it derives from.
  func hasObjectiveCMembers(_ path: TypePath) -> Bool {
    ancestry(path).contains { types[$0]?.hasObjectiveCMembers ?? false }
  }

  func declaresStoredName(_ path: TypePath) -> Bool { types[path]?.declaresStoredName ?? false }

  /// Returns the names that a class itself gives by one of the methods that name properties.
  func named(_ method: NamedMethod, of path: TypePath) -> NamedValues? { types[path]?.named[method] }

  /// The properties that the class, one it derives from, or one that derives from it, does not store.
  func ignoredNames(of path: TypePath) -> Set<String> {
    var result: Set<String> = []
    for ancestor in ancestry(path) {
      if case .names(let names) = named(.ignoredProperties, of: ancestor) { result.formUnion(names) }
    }
    return result
  }

  func isModelProtocol(_ path: TypePath) -> Bool { modelProtocols.contains(path) }
  func isObjectiveCProtocol(_ path: TypePath) -> Bool {
    types[path].map { $0.kind == .protocol && $0.isObjectiveC } ?? false
  }

  /// True if an enum is made storable in another file than the one that declares it, where its cases cannot be listed by the compiler.
  func isStorableElsewhere(_ path: TypePath, than file: Int) -> Bool {
    guard let type = types[path], type.kind == .enum else { return false }
    let lists = type.conformances.contains { $0.path.last == "CaseIterable" }
    let storable = type.conformances.filter { [Library.oldEnum, Library.newEnum].contains($0.path.last) }
    return !lists && !storable.isEmpty && !storable.contains { $0.file == file }
  }
}

// MARK: - Members

extension Program {
  /// A member of a type, of a class it derives from, or of a protocol it conforms to.
  func member(_ name: String, of path: TypePath) -> (facts: MemberFacts, owner: TypePath)? {
    for ancestor in ancestry(path) {
      if let found = types[ancestor]?.members[name] { return (found, ancestor) }
    }
    for (inherited, scope, _) in types[path]?.conformances ?? [] {
      guard let found = resolve(inherited, from: scope), found != path, types[found]?.kind == .protocol,
        let member = types[found]?.members[name]
      else { continue }
      return (member, found)
    }
    return nil
  }

  func global(_ name: String) -> MemberFacts? { globals[name] }
}

// MARK: - What is written where

extension Program {
  /// True if a class has a superclass that is neither in the program nor known to be none of a model.
  func derivesFromUnknown(_ path: TypePath) -> Bool {
    guard let last = ancestry(path).last, let type = types[last], type.kind == .class,
      let first = type.conformances.first,
      !isModel(path)
    else { return false }
    let isKnown = declares(first.path, from: first.scope)
    return !isKnown && !first.path.last.hasPrefix("NS") && !first.path.last.hasPrefix("UI")
  }

  /// The properties of which `@Persisted` says what a method did. All of those that the method names, or none: where one of them is not
  /// the class's own, the method stays, and Larder honours it.
  func wrappedNames(_ method: NamedMethod, of path: TypePath) -> [String] {
    guard method != .ignoredProperties, case .names(let names) = named(method, of: path) else { return [] }
    let ignored = ignoredNames(of: path)
    let areOwn = names.allSatisfy { name in
      guard let member = types[path]?.members[name], member.sort == .stored, !member.isStatic else { return false }
      return (member.isDynamic || member.isHolder) && !ignored.contains(name)
    }
    return areOwn ? names : []
  }
}
