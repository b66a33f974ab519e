// swift-tools-version: 6.0
import PackageDescription

// The programs of this corpus after larder-adopt; .ci/check-adopt puts their sources beside this one's.
let programs = ["Todo", "Library", "Shop", "Chat", "Fitness", "Arrival", "Legacy"]
let larder = Target.Dependency.product(name: "Larder", package: "larder")
let settings: [SwiftSetting] = [.swiftLanguageMode(.v5)]

let package = Package(
  name: "Adopted",
  dependencies: [.package(path: "../larder")],
  targets: programs.map { .target(name: $0, dependencies: [larder], swiftSettings: settings) } + [
    .executableTarget(name: "Adopted", dependencies: programs.map { .byName(name: $0) } + [larder], swiftSettings: settings)
  ]
)
