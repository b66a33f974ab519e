// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error),
]

// Builds of this repository have both packages in one folder, where they share the modules of the library and of SwiftNIO: with the same
// traits these are compiled with the same flags, and once (`.ci/swift`).
let traits: Set<Package.Dependency.Trait> = Context.environment["LARDER_SHARED_BUILD"] == nil ? [] : ["Tool", "Sync"]

// A package of its own, so that programs that use the library never fetch or build what only a server needs.
let package = Package(
  name: "larder-sync",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "LarderSyncServer", targets: ["LarderSyncServer"]),
    .executable(name: "larder-sync", targets: ["larder-sync"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.3.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(name: "larder", path: "..", traits: traits),
  ],
  targets: [
    .systemLibrary(name: "CPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    // The main package has a CSQLite; two targets of one build must not have the same name.
    .systemLibrary(name: "CSQLite3", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(
      name: "LarderSyncServer",
      dependencies: [
        "CPQ", "CSQLite3",
        .product(name: "LarderSyncProtocol", package: "larder"),
        .product(name: "LarderSyncQuery", package: "larder"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "JWTKit", package: "jwt-kit"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "larder-sync",
      dependencies: ["LarderSyncServer", .product(name: "ArgumentParser", package: "swift-argument-parser")],
      path: "Sources/LarderSync", swiftSettings: settings),
    .testTarget(
      name: "LarderSyncServerTests",
      dependencies: [
        "LarderSyncServer", "larder-sync", .product(name: "LarderSyncProtocol", package: "larder"),
        .product(name: "JWTKit", package: "jwt-kit"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ],
      swiftSettings: settings),
  ]
)
