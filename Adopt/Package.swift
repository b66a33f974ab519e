// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error),
]

// A package of its own, so that programs that use the library never fetch or build swift-syntax.
let package = Package(
  name: "larder-adopt",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "larder-adopt", targets: ["larder-adopt"])],
  dependencies: [
    .package(url: "https://github.com/swiftlang/swift-syntax", exact: "603.0.1"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
  ],
  targets: [
    .target(
      name: "AdoptRewriting",
      dependencies: [
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftParser", package: "swift-syntax"),
        .product(name: "SwiftParserDiagnostics", package: "swift-syntax"),
      ], swiftSettings: settings),
    .executableTarget(
      name: "larder-adopt",
      dependencies: ["AdoptRewriting", .product(name: "ArgumentParser", package: "swift-argument-parser")],
      path: "Sources/LarderAdopt", swiftSettings: settings),
    .testTarget(
      name: "AdoptRewritingTests", dependencies: ["AdoptRewriting", "larder-adopt"], swiftSettings: settings),
  ]
)
