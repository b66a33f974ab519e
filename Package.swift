// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .treatAllWarnings(as: .error),
]

// `LARDER_OPTIMIZED=1` (`.ci/swift`): a debug build has LMDB's wrapper and the storage optimised, with their assertions. Tests spend most of their time there,
// and no other target's tests win what its optimisation costs.
let storageSettings =
  Context.environment["LARDER_OPTIMIZED"] == "1"
  ? settings + [
    .unsafeFlags(
      ["-O", "-wmo", "-num-threads", "2", "-disable-batch-mode", "-assert-config", "Debug"],
      .when(configuration: .debug))
  ] : settings

// `LARDER_SANITIZE=thread`: locks that the thread sanitizer sees (`make tsan`).
let lockSettings =
  Context.environment["LARDER_SANITIZE"] == "thread" ? settings + [.define("SANITIZED_LOCKS")] : settings

// What a program that depends on this package gets: neither the tool nor what it is built with. A manifest is read as a dependency's from
// the folder of checkouts, and before there is a checkout from no folder at all. Other packages may say `traits: []`, and those that are
// given by path have to.
let isDependency =
  Context.packageDirectory == "/" || Context.packageDirectory.split(separator: "/").contains("checkouts")

let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")

// Without the trait nothing of OpenCombine is fetched or built (`.ci/check-traits`).
let openCombine = ["OpenCombine", "OpenCombineDispatch"].map {
  Target.Dependency.product(name: $0, package: "OpenCombine", condition: .when(traits: ["OpenCombine"]))
}

// Without the traits Sync and Tool nothing of SwiftNIO is fetched or built; without Sync a device has no transport (`MissingTransport`).
let network =
  ["NIOCore", "NIOPosix", "NIOHTTP1", "NIOWebSocket"].map {
    Target.Dependency.product(name: $0, package: "swift-nio", condition: .when(traits: ["Sync"]))
  } + [.product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["Sync"]))]

// The server of the web inspector.
let web = ["NIOCore", "NIOPosix", "NIOHTTP1"].map {
  Target.Dependency.product(name: $0, package: "swift-nio", condition: .when(traits: ["Tool"]))
}

let package = Package(
  name: "larder",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "Larder", targets: ["Larder"]),
    .library(name: "RealmSwift", targets: ["RealmSwift"]),
    .library(name: "LarderRealmFile", targets: ["LarderRealmFile"]),
    .library(name: "LarderSync", targets: ["LarderSync"]),
    .library(name: "LarderSyncProtocol", targets: ["LarderSyncProtocol"]),
    .library(name: "LarderSyncQuery", targets: ["LarderSyncQuery"]),
    .executable(name: "larder", targets: ["LarderTool"]),
    .executable(name: "geonames-demo", targets: ["GeoNamesDemo"]),
    .executable(name: "sync-demo", targets: ["SyncDemo"]),
  ],
  traits: [
    .trait(
      name: "Tool",
      description: "The command line tool larder, and swift-argument-parser and SwiftNIO, which it is built with."),
    .trait(name: "OpenCombine", description: "Publishers as on Apple's platforms, by way of OpenCombine."),
    .trait(
      name: "Sync", description: "Synchronisation with a server, and SwiftNIO, which its connection is built with."),
    .default(enabledTraits: isDependency ? [] : ["Tool", "Sync"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.3.0"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", .upToNextMinor(from: "0.14.0")),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
  ],
  targets: [
    .systemLibrary(name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CEditline", pkgConfig: "libedit", providers: [.apt(["libedit-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CDecimal", providers: [.apt(["libintelrdfpmath-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CSwiftRuntime"),
    .target(name: "LarderLocks", swiftSettings: lockSettings),
    .target(
      name: "LarderLMDB", dependencies: ["LarderLocks", "CLMDB", "CSwiftRuntime", deque], swiftSettings: storageSettings
    ),
    .target(name: "LarderCrypto", dependencies: ["LarderLocks", "CCrypto"], swiftSettings: settings),
    .target(name: "LarderRealmFile", dependencies: ["LarderLocks", "LarderCrypto"], swiftSettings: settings),
    .target(name: "LarderSyncProtocol", dependencies: ["CDecimal"], swiftSettings: settings),
    .target(
      name: "LarderStorage",
      dependencies: ["LarderLocks", "LarderLMDB", "LarderCrypto", "LarderSyncProtocol", "CDecimal", "CSwiftRuntime"],
      swiftSettings: storageSettings),
    .target(
      name: "LarderRealmImport", dependencies: ["LarderRealmFile", "LarderStorage"], swiftSettings: settings),
    .target(name: "LarderQuery", dependencies: ["LarderLocks", "LarderStorage"], swiftSettings: settings),
    .target(
      name: "LarderSyncQuery", dependencies: ["LarderSyncProtocol", "LarderQuery", "LarderStorage"],
      swiftSettings: settings),
    .target(
      name: "LarderObservation", dependencies: ["LarderLocks", "LarderQuery", "LarderStorage"],
      swiftSettings: settings),
    .target(
      name: "Larder",
      dependencies: [
        "LarderLocks", "LarderStorage", "LarderQuery", "LarderObservation", "LarderRealmImport", "LarderSyncProtocol",
        "CSwiftRuntime", deque,
      ] + openCombine,
      swiftSettings: settings),
    .target(name: "RealmSwift", dependencies: ["Larder"], swiftSettings: settings),
    .target(
      name: "LarderSync",
      dependencies: [
        "LarderLocks", "LarderStorage", "LarderQuery", "LarderSyncProtocol", "LarderSyncQuery", "Larder", deque,
      ]
        + network,
      swiftSettings: settings),
    .target(
      name: "LarderExchange",
      dependencies: ["LarderLocks", "LarderStorage", "LarderQuery", "LarderRealmImport", "CSQLite", "CZlib"],
      swiftSettings: settings),
    .target(
      name: "LarderSQL", dependencies: ["LarderStorage", "LarderQuery", "LarderExchange", "CSQLite"],
      swiftSettings: settings),
    .target(
      name: "LarderInspection",
      dependencies: [
        "LarderLocks", "LarderStorage", "LarderQuery", "LarderObservation", "LarderRealmImport", "LarderExchange",
      ],
      swiftSettings: settings),
    .target(
      name: "LarderStudio",
      dependencies: [
        "LarderLocks", "LarderStorage", "LarderQuery", "LarderObservation", "LarderExchange", "LarderInspection",
      ] + web,
      resources: [.embedInCode("Page")],
      swiftSettings: settings),
    .executableTarget(
      name: "LarderTool",
      dependencies: [
        "LarderLocks", "LarderExchange", "LarderSQL", "LarderInspection", "LarderStorage", "LarderQuery",
        "LarderRealmImport", "Larder", "LarderStudio", "CEditline",
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Tool"])),
      ], swiftSettings: settings),
    .executableTarget(name: "GeoNamesDemo", dependencies: ["Larder"], swiftSettings: settings),
    .executableTarget(name: "SyncDemo", dependencies: ["LarderSync"], swiftSettings: settings),
    // For tests of targets below the store, which build without it.
    .target(name: "TestBasics", path: "Tests/TestBasics", swiftSettings: settings),
    .target(
      name: "TestSupport", dependencies: ["TestBasics", "LarderStorage"], path: "Tests/TestSupport",
      swiftSettings: settings),
    .target(name: "TestTraits", path: "Tests/TestTraits", swiftSettings: settings),
    .executableTarget(
      name: "LMDBWorker", dependencies: ["LarderLocks", "LarderLMDB"], path: "Tests/Workers/LMDBWorker",
      swiftSettings: settings,
      // Its own pwrite and the like must be found by liblmdb, so that tests can make them fail.
      linkerSettings: [.unsafeFlags(["-Xlinker", "-export-dynamic"])]),
    .testTarget(
      name: "LarderLMDBTests", dependencies: ["LarderLocks", "LarderLMDB", "LMDBWorker", "TestSupport", "TestTraits"],
      swiftSettings: settings),
    .testTarget(
      name: "LarderCryptoTests", dependencies: ["LarderCrypto", "TestBasics"], swiftSettings: settings),
    .testTarget(
      name: "LarderRealmFileTests", dependencies: ["LarderRealmFile", "LarderCrypto", "CCrypto", "TestBasics"],
      swiftSettings: settings),
    .testTarget(
      name: "LarderSyncProtocolTests", dependencies: ["LarderSyncProtocol", "TestBasics", "TestTraits"],
      swiftSettings: settings),
    .testTarget(
      name: "LarderSyncQueryTests",
      dependencies: ["LarderSyncQuery", "LarderSyncProtocol", "LarderQuery", "LarderStorage", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "LarderSyncTests",
      dependencies: [
        "LarderLocks", "LarderStorage", "LarderQuery", "LarderSyncProtocol", "LarderSyncQuery", "Larder", "LarderSync",
        "TestSupport", "TestTraits",
      ] + network,
      swiftSettings: settings),
    .target(
      name: "SyncModel", dependencies: ["LarderSync"], path: "Tests/SyncModel", swiftSettings: settings),
    .executableTarget(
      name: "SyncWorker", dependencies: ["LarderLocks", "LarderSync", "SyncModel"], path: "Tests/Workers/SyncWorker",
      swiftSettings: settings),
    // Starts the server that Server/.build has.
    .testTarget(
      name: "LarderSyncEndToEndTests",
      dependencies: ["LarderLocks", "LarderSyncProtocol", "LarderSync", "SyncModel", "SyncWorker", "TestSupport"]
        + network,
      swiftSettings: settings),
    .testTarget(
      name: "LarderStorageTests",
      dependencies: ["LarderLocks", "LarderLMDB", "LarderStorage", "NodeWorker", "TestSupport", "TestTraits"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "LarderRealmImportTests",
      dependencies: ["LarderRealmFile", "LarderRealmImport", "LarderStorage", "TestSupport", "TestTraits"],
      swiftSettings: settings),
    .testTarget(
      name: "LarderQueryTests",
      dependencies: ["LarderLocks", "LarderStorage", "LarderQuery", "TestSupport", "TestTraits"],
      swiftSettings: settings),
    .executableTarget(
      name: "NodeWorker", dependencies: ["LarderStorage", "TestSupport"], path: "Tests/Workers/NodeWorker",
      swiftSettings: settings),
    .executableTarget(
      name: "SoakWorker", dependencies: ["Larder"], path: "Tests/Workers/SoakWorker", swiftSettings: settings),
    .executableTarget(
      name: "CommitLatency", dependencies: ["Larder"], path: "Tests/Workers/CommitLatency", swiftSettings: settings),
    .target(name: "CCounting", path: "Tests/Workers/CCounting"),
    .executableTarget(
      name: "OperationCounts", dependencies: ["CCounting", "Larder"], path: "Tests/Workers/OperationCounts",
      swiftSettings: settings,
      // Its own malloc must be found by the libraries that it loads.
      linkerSettings: [.unsafeFlags(["-Xlinker", "-export-dynamic"])]),
    .testTarget(
      name: "LarderObservationTests",
      dependencies: [
        "LarderLocks", "LarderStorage", "LarderQuery", "LarderObservation", "NodeWorker", "TestSupport", "TestTraits",
      ],
      swiftSettings: settings),
    .testTarget(name: "RealmSwiftTests", dependencies: ["RealmSwift"], swiftSettings: settings),
    .target(name: "ModelLibrary", dependencies: ["Larder"], path: "Tests/ModelLibrary", swiftSettings: settings),
    .target(
      name: "KnotModel", dependencies: ["Larder", "TestSupport"], path: "Tests/KnotModel", swiftSettings: settings),
    .executableTarget(
      name: "KnotWorker", dependencies: ["KnotModel", "Larder"], path: "Tests/Workers/KnotWorker",
      swiftSettings: settings),
    .executableTarget(
      name: "ProcessWorker", dependencies: ["Larder"], path: "Tests/Workers/ProcessWorker", swiftSettings: settings),
    .executableTarget(
      name: "ImportWorker", dependencies: ["Larder"], path: "Tests/Workers/ImportWorker", swiftSettings: settings),
    .executableTarget(
      name: "ServerWorker", dependencies: ["Larder"], path: "Tests/Workers/ServerWorker", swiftSettings: settings),
    .testTarget(
      name: "LarderTests",
      dependencies: [
        "LarderLocks", "LarderLMDB", "LarderStorage", "LarderQuery", "LarderObservation", "Larder", "ModelLibrary",
        "KnotModel", "KnotWorker", "ImportWorker", "ProcessWorker", "ServerWorker", "TestSupport", "TestTraits",
      ],
      swiftSettings: settings),
    // Empty without the trait `OpenCombine`.
    .testTarget(
      name: "LarderPublisherTests", dependencies: ["Larder", "TestSupport"] + openCombine, swiftSettings: settings),
    .executableTarget(
      name: "FirstProgram", dependencies: ["Larder"], path: "Tests/Workers/FirstProgram", swiftSettings: settings),
    .testTarget(
      name: "DocumentationTests", dependencies: ["Larder", "LarderSync", "LarderTool", "FirstProgram", "TestSupport"],
      swiftSettings: settings),
    .executableTarget(
      name: "DamageWorker",
      dependencies: [
        "LarderExchange", "LarderInspection", "LarderQuery", "LarderStorage", "LarderLMDB", "TestSupport",
      ],
      path: "Tests/Workers/DamageWorker", swiftSettings: settings),
    .executableTarget(
      name: "FaultWorker",
      dependencies: ["LarderCrypto", "LarderStorage", "Larder", "LarderExchange", "LarderInspection", "TestSupport"],
      path: "Tests/Workers/FaultWorker",
      swiftSettings: settings,
      // Its own system calls must be found by liblmdb and Foundation.
      linkerSettings: [.unsafeFlags(["-Xlinker", "-export-dynamic"])]),
    // Starts FaultWorker and must not contain it: LMDBWorker, which the tests of LMDB contain, has system calls of its own as well.
    .testTarget(name: "LarderFaultTests", dependencies: ["TestBasics", "TestTraits"], swiftSettings: settings),
    .testTarget(
      name: "LarderExchangeTests", dependencies: ["LarderExchange", "LarderStorage", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "LarderSQLTests", dependencies: ["LarderSQL", "LarderExchange", "LarderStorage", "CSQLite", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "LarderStudioTests",
      dependencies: [
        "LarderLocks", "LarderStorage", "LarderQuery", "LarderExchange", "LarderInspection", "LarderStudio",
        "TestSupport", "TestTraits",
      ] + web,
      swiftSettings: settings),
    .testTarget(
      name: "LarderToolTests",
      dependencies: [
        "LarderLocks", "LarderLMDB", "LarderCrypto", "LarderStorage", "Larder", "LarderExchange", "LarderInspection",
        "LarderTool", "GeoNamesDemo", "DamageWorker",
        "CSQLite",
        "TestSupport",
        "TestTraits",
      ],
      swiftSettings: settings),
  ]
)

// `LARDER_TESTS=A,B`: these test targets and what they need, and nothing else (`.ci/asan --storage`).
if let wanted = Context.environment["LARDER_TESTS"] {
  var kept = Set(wanted.split(separator: ",").map(String.init))
  var found = kept
  while !found.isEmpty {
    let dependencies = package.targets.filter { found.contains($0.name) }.flatMap(\.dependencies)
    let names = dependencies.compactMap { if case .byNameItem(let name, _) = $0 { name } else { nil } }
    found = Set(names).subtracting(kept)
    kept.formUnion(found)
  }
  package.targets.removeAll { !kept.contains($0.name) }
  package.products.removeAll { _ in true }
}
