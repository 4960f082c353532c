// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "WhatIsHere",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "portolan", path: "../../..")],
  targets: [
    .executableTarget(
      name: "WhatIsHere", dependencies: [.product(name: "PortolanApp", package: "portolan")])
  ]
)
