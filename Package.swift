// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "larder",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "Larder", targets: ["Larder"]),
    .executable(name: "larder", targets: ["LarderTool"]),
    .executable(name: "geonames-demo", targets: ["GeoNamesDemo"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0")
  ],
  targets: [
    .systemLibrary(name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CEditline", pkgConfig: "libedit", providers: [.apt(["libedit-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CDecimal", providers: [.apt(["libintelrdfpmath-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CSwiftRuntime"),
    .target(name: "LarderLMDB", dependencies: ["CLMDB"], swiftSettings: settings),
    .target(name: "LarderCrypto", dependencies: ["CCrypto"], swiftSettings: settings),
    .target(
      name: "LarderStorage", dependencies: ["LarderLMDB", "LarderCrypto", "CDecimal", "CSwiftRuntime"],
      swiftSettings: settings),
    .target(name: "LarderQuery", dependencies: ["LarderStorage"], swiftSettings: settings),
    .target(name: "LarderObservation", dependencies: ["LarderQuery", "LarderStorage"], swiftSettings: settings),
    .target(
      name: "Larder", dependencies: ["LarderStorage", "LarderQuery", "LarderObservation", "CSwiftRuntime"],
      swiftSettings: settings),
    .target(
      name: "LarderInspection",
      dependencies: ["LarderStorage", "LarderQuery", "LarderObservation", "CSQLite", "CZlib"],
      swiftSettings: settings),
    .executableTarget(
      name: "LarderTool",
      dependencies: [
        "LarderInspection", "Larder", "CEditline", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: settings),
    .executableTarget(name: "GeoNamesDemo", dependencies: ["Larder"], swiftSettings: settings),
    .target(name: "TestSupport", dependencies: ["LarderStorage"], path: "Tests/TestSupport", swiftSettings: settings),
    .executableTarget(
      name: "LMDBWorker", dependencies: ["LarderLMDB"], path: "Tests/Workers/LMDBWorker", swiftSettings: settings,
      // Its own pwrite and the like must be found by liblmdb, so that tests can make them fail.
      linkerSettings: [.unsafeFlags(["-Xlinker", "-export-dynamic"])]),
    .testTarget(
      name: "LarderLMDBTests", dependencies: ["LarderLMDB", "LMDBWorker", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "LarderCryptoTests", dependencies: ["LarderCrypto", "TestSupport"], swiftSettings: settings),
    .testTarget(name: "LarderStorageTests", dependencies: ["LarderStorage", "TestSupport"], swiftSettings: settings),
    .testTarget(name: "LarderQueryTests", dependencies: ["LarderQuery", "TestSupport"], swiftSettings: settings),
    .executableTarget(
      name: "NodeWorker", dependencies: ["LarderStorage", "TestSupport"], path: "Tests/Workers/NodeWorker",
      swiftSettings: settings),
    .executableTarget(
      name: "SoakWorker", dependencies: ["Larder"], path: "Tests/Workers/SoakWorker", swiftSettings: settings),
    .testTarget(
      name: "LarderObservationTests", dependencies: ["LarderObservation", "NodeWorker", "TestSupport"],
      swiftSettings: settings),
    .target(name: "ModelLibrary", dependencies: ["Larder"], path: "Tests/ModelLibrary", swiftSettings: settings),
    .testTarget(name: "LarderTests", dependencies: ["Larder", "ModelLibrary", "TestSupport"], swiftSettings: settings),
    .executableTarget(
      name: "FirstProgram", dependencies: ["Larder"], path: "Tests/Workers/FirstProgram", swiftSettings: settings),
    .testTarget(
      name: "DocumentationTests", dependencies: ["Larder", "LarderTool", "FirstProgram", "TestSupport"],
      swiftSettings: settings),
    .executableTarget(
      name: "DamageWorker", dependencies: ["LarderInspection", "TestSupport"], path: "Tests/Workers/DamageWorker",
      swiftSettings: settings),
    .testTarget(
      name: "LarderToolTests",
      dependencies: ["Larder", "LarderInspection", "LarderTool", "DamageWorker", "TestSupport"],
      swiftSettings: settings),
  ]
)
