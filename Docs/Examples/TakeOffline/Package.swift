// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "TakeOffline",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "portolan", path: "../../..")],
  targets: [
    .executableTarget(
      name: "TakeOffline", dependencies: [.product(name: "PortolanApp", package: "portolan")])
  ]
)
