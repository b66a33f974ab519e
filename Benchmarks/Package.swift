// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the peers never become dependencies of the library, and so that the hot paths are
// measured from where programs sit: across a package border.
let package = Package(
  name: "larder-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "larder", path: "..", traits: ["Sync"]),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
  ],
  targets: [
    .systemLibrary(name: "BenchSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "BenchLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
    .executableTarget(
      name: "larder-bench",
      dependencies: [
        "BenchSQLite", "BenchLMDB", .product(name: "Larder", package: "larder"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      path: "Sources/LarderBench",
      swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]),
    .executableTarget(
      name: "larder-growth", dependencies: [.product(name: "Larder", package: "larder")], path: "Sources/LarderGrowth",
      swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]),
    .executableTarget(
      name: "sync-bench", dependencies: [.product(name: "LarderSync", package: "larder")], path: "Sources/SyncBench",
      swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]),
  ]
)
