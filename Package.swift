// swift-tools-version: 6.2

import PackageDescription

/// Settings shared by every Swift target, so that no module drifts to a laxer mode.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

/// Targets that touch C memory: every unsafe use must be spelled `unsafe`.
let strictMemory: [SwiftSetting] = strict + [.strictMemorySafety()]

/// The modules that draw, which take most of the time of the tests; CI has them optimized in debug builds, too.
///
/// Not without being asked: others could not depend on a version of a package that sets such flags.
let drawing: Set = [
  "PortolanGeometry", "PortolanImages", "PortolanDrawing", "PortolanVectorTiles", "PortolanSymbols",
  "PortolanExpressions", "PortolanRendering",
]
let optimized: [SwiftSetting] =
  Context.environment["PORTOLAN_OPTIMIZES_DRAWING"] == nil
  ? [] : [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// A module of the core; `touchingC` where it owns a C library or raw memory.
func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], touchingC: Bool = false,
  resources: [Resource]? = nil
) -> Target {
  .target(
    name: name, dependencies: dependencies, resources: resources,
    swiftSettings: (touchingC ? strictMemory : strict) + (drawing.contains(name) ? optimized : []))
}

/// Tests of several modules, or of a program.
func testTarget(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["PortolanTestSupport"], exclude: exclude,
    swiftSettings: strict)
}

/// The tests of a module, which use others beside it.
func tests(
  of module: String, _ others: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
  testTarget(module + "Tests", [.target(name: module)] + others, exclude: exclude)
}

/// A program of its own.
func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
  name: "portolan",
  // Spans, mutexes and observed sequences need them.
  platforms: [.macOS(.v26), .iOS(.v26)],
  products: [
    // The app without a screen: observable view models, and their composition with live parts.
    // No drawing among it: an app that shows pictures of maps asks for PortolanRendering.
    .library(
      name: "PortolanApp",
      targets: [
        "PortolanApp", "PortolanComposition", "PortolanPackages", "PortolanMap", "PortolanFeatures",
        "PortolanTiles", "PortolanGeometry", "PortolanJSON", "PortolanJobs", "PortolanPortal",
        "PortolanTransport", "PortolanConversion", "PortolanLibrary", "PortolanOffline",
        "PortolanSearch", "PortolanWebMaps",
      ]),
    // The parts that stand alone, each with the values that its interface is made of.
    .library(
      name: "PortolanGeodatabase",
      targets: [
        "PortolanGeodatabase", "PortolanFeatures", "PortolanGeometry", "PortolanJSON",
        "PortolanSQLite",
      ]),
    .library(
      name: "PortolanGeoPackage",
      targets: [
        "PortolanGeoPackage", "PortolanGeodatabase", "PortolanFeatures", "PortolanGeometry",
        "PortolanJSON", "PortolanSQLite",
      ]),
    .library(
      name: "PortolanTileFiles",
      targets: [
        "PortolanTileFiles", "PortolanTiles", "PortolanGeometry", "PortolanJSON",
        "PortolanArchives", "PortolanSQLite",
      ]),
    .library(
      name: "PortolanPackages",
      targets: [
        "PortolanPackages", "PortolanMap", "PortolanFeatures", "PortolanTiles", "PortolanGeometry",
        "PortolanJSON", "PortolanTileFiles", "PortolanFiles",
      ]),
    .library(
      name: "PortolanPortal",
      targets: [
        "PortolanPortal", "PortolanTransport", "PortolanCurl", "PortolanFeatures",
        "PortolanTiles", "PortolanGeometry", "PortolanJSON", "PortolanProtobuf", "PortolanCrypto",
      ]),
    .library(
      name: "PortolanImages",
      targets: ["PortolanImages", "PortolanTiles", "PortolanGeometry", "PortolanJSON"]),
    .library(
      name: "PortolanRendering",
      targets: [
        "PortolanRendering", "PortolanDrawing", "PortolanImages", "PortolanPackages", "PortolanMap",
        "PortolanFeatures", "PortolanTiles", "PortolanGeometry", "PortolanJSON",
      ]),
    .library(
      name: "PortolanTileCache",
      targets: [
        "PortolanTileCache", "PortolanTiles", "PortolanGeometry", "PortolanJSON",
        "PortolanTransport", "PortolanCurl", "PortolanTileFiles", "PortolanHTTPServer",
      ]),
    .library(
      name: "PortolanSearch",
      targets: [
        "PortolanSearch", "PortolanFeatures", "PortolanGeometry", "PortolanFiles",
      ]),
    .library(
      name: "PortolanConversion",
      targets: [
        "PortolanConversion", "PortolanPackages", "PortolanMap", "PortolanFeatures",
        "PortolanTiles", "PortolanTileFiles", "PortolanArchives", "PortolanGeometry",
        "PortolanJSON",
      ]),
    .executable(name: "portolan", targets: ["portolan"]),
  ],
  targets: [
    // MARK: Row 0 – C libraries
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CFileSystem"),
    .systemLibrary(name: "CIconv"),
    .systemLibrary(name: "CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CProj", providers: [.apt(["libproj-dev"])]),
    .systemLibrary(name: "CGEOS", providers: [.apt(["libgeos-dev"])]),
    .systemLibrary(
      name: "CXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(
      name: "CCairo", pkgConfig: "pangocairo",
      providers: [.apt(["libcairo2-dev", "libpango1.0-dev"])]),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(name: "CTurboJPEG", providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(name: "CWebP", providers: [.apt(["libwebp-dev"])]),
    .systemLibrary(name: "CDeflate", providers: [.apt(["libdeflate-dev"])]),
    .systemLibrary(name: "CISAL", providers: [.apt(["libisal-dev"])]),
    .systemLibrary(name: "CEdit", providers: [.apt(["libedit-dev"])]),
    .systemLibrary(name: "COpenSSL", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CMicroHTTPD", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .target(name: "CNetlink"),
    .target(name: "CSecretService", linkerSettings: [.linkedLibrary("dl")]),
    .target(name: "CSimdJSON", linkerSettings: [.linkedLibrary("simdjson")]),
    .target(name: "CFailingSystemCalls", linkerSettings: [.linkedLibrary("dl")]),

    // MARK: Row 1 – values
    // Durable files and folders, locks between processes, the state of files, free space, encodings.
    module("PortolanFiles", ["CFileSystem", "CIconv"], touchingC: true),
    // JSON values that keep their order and every member, over simdjson.
    module("PortolanJSON", ["CSimdJSON"], touchingC: true),
    // Small XML documents as trees, over libxml2.
    module("PortolanXML", ["CXML2"], touchingC: true),
    // Messages of protocol buffers, field by field.
    module("PortolanProtobuf", touchingC: true),
    // Points to polygons, spatial references, Esri JSON and GeoJSON, projection, predicates.
    module("PortolanGeometry", ["PortolanJSON", "CProj", "CGEOS"], touchingC: true),
    // What a feature table is: fields, domains, values, queries; the FeatureStore protocol.
    module("PortolanFeatures", ["PortolanJSON", "PortolanGeometry"]),
    // Tile addresses, schemes, ranges; the TileSource protocol.
    module("PortolanTiles", ["PortolanJSON", "PortolanGeometry"]),
    // The web map document as values.
    module(
      "PortolanMap", ["PortolanJSON", "PortolanGeometry", "PortolanFeatures"]),

    // A value with a lock that the thread sanitizer understands.
    module("PortolanLocks", touchingC: true),
    // A job: identity, state, progress, messages, journal, the queue that runs them.
    module("PortolanJobs"),

    // MARK: Row 2 – ports
    // Connection, query, error codes, defensive opening, files inside files.
    module("PortolanSQLite", ["PortolanLocks", "PortolanFiles", "CSQLite"], touchingC: true),
    // Byte sources read by range; ZIP.
    module("PortolanArchives", ["PortolanFiles", "CZip", "CZlib", "CISAL"], touchingC: true),

    // HTTP as values, the transport protocol, retry, rate limits; the network monitor.
    module("PortolanTransport", ["PortolanFiles", "PortolanLocks"], touchingC: true),
    // Digests, random bytes, certificates, over OpenSSL.
    module("PortolanCrypto", ["COpenSSL"], touchingC: true),

    // MARK: Row 3 – file formats and live adapters
    // The live transport, over libcurl.
    module(
      "PortolanCurl", ["PortolanLocks", "PortolanTransport", "PortolanCrypto", "CCurl"],
      touchingC: true),
    // The live network monitor, over netlink.
    module(
      "PortolanNetlink",
      ["PortolanTransport", .target(name: "CNetlink", condition: .when(platforms: [.linux]))],
      touchingC: true),
    // HTTP on the loopback interface, on libmicrohttpd.
    module(
      "PortolanHTTPServer", ["PortolanTransport", "PortolanLocks", "CMicroHTTPD"], touchingC: true),
    // What feature stores in SQLite share: where clauses as SQL, attribute values as columns.
    module("PortolanFeatureTables", ["PortolanFeatures", "PortolanSQLite"]),
    // Mobile geodatabases as feature stores, and how feature tables in SQLite are read, filled and
    // edited, whatever their format.
    module(
      "PortolanGeodatabase",
      [
        "PortolanFiles", "PortolanJSON", "PortolanXML", "PortolanGeometry", "PortolanFeatures",
        "PortolanSQLite", "PortolanLocks", "PortolanFeatureTables",
      ], touchingC: true),
    // GeoPackages as feature stores.
    module(
      "PortolanGeoPackage",
      [
        "PortolanJSON", "PortolanGeometry", "PortolanFeatures", "PortolanSQLite",
        "PortolanFeatureTables", "PortolanGeodatabase",
      ], touchingC: true),
    // Tile packages and caches as tile sources.
    module(
      "PortolanTileFiles",
      [
        "PortolanFiles", "PortolanJSON", "PortolanXML", "PortolanGeometry", "PortolanTiles",
        "PortolanSQLite", "PortolanArchives",
      ], touchingC: true),
    // PNG, JPEG and WebP files to pixels and back; tiles past the last level.
    module(
      "PortolanImages",
      [
        "PortolanArchives", "PortolanJSON", "PortolanGeometry", "PortolanTiles", "CPNG",
        "CTurboJPEG", "CWebP", "CDeflate",
      ], touchingC: true),
    // Steps of drawing, what they are drawn on, texts and where labels find room, over cairo.
    module(
      "PortolanDrawing",
      ["PortolanImages", "PortolanJSON", "PortolanGeometry", "PortolanMap", "CCairo"],
      touchingC: true),

    // MARK: Row 4 – the portal, packages and parts of pictures
    // Portals and their services: the REST client, items, features, maps, tiles, addresses.
    module(
      "PortolanPortal",
      [
        "PortolanJSON", "PortolanGeometry", "PortolanFeatures", "PortolanTiles",
        "PortolanTransport", "PortolanCrypto", "PortolanProtobuf", "PortolanLocks",
      ], touchingC: true),
    // Mobile map packages: open, create.
    module(
      "PortolanPackages",
      [
        "PortolanFiles", "PortolanJSON", "PortolanXML", "PortolanGeometry", "PortolanFeatures",
        "PortolanTiles", "PortolanMap", "PortolanSQLite", "PortolanArchives", "PortolanGeodatabase",
        "PortolanGeoPackage", "PortolanTileFiles", "PortolanLocks",
      ]),
    // The expressions, filters and colors of styles of vector tiles.
    module("PortolanExpressions", ["PortolanJSON"]),

    // Vector tiles, their styles, icons and letters, as steps of drawing.
    module(
      "PortolanVectorTiles",
      [
        "PortolanDrawing", "PortolanImages", "PortolanExpressions", "PortolanJSON",
        "PortolanGeometry", "PortolanFeatures", "PortolanTiles", "PortolanMap", "PortolanTileFiles",
        "PortolanPackages", "PortolanArchives", "PortolanProtobuf",
      ], touchingC: true),
    // Symbols, what features change of them, and classes of labels, as steps of drawing.
    module(
      "PortolanSymbols",
      [
        "PortolanDrawing", "PortolanImages", "PortolanJSON", "PortolanGeometry", "PortolanFeatures",
        "PortolanMap",
      ]),

    // Locators: labels of features as a mapped index, suggestions, geocoding, coordinates as text.
    module(
      "PortolanSearch",
      ["PortolanFiles", "PortolanJSON", "PortolanGeometry", "PortolanFeatures"],
      touchingC: true),

    // MARK: Row 5 – pictures of maps, and the sample that ships
    // Maps, their layers and their legend as pictures and tiles.
    module(
      "PortolanRendering",
      [
        "PortolanImages", "PortolanDrawing", "PortolanVectorTiles", "PortolanSymbols",
        "PortolanExpressions", "PortolanJSON", "PortolanGeometry", "PortolanFeatures",
        "PortolanTiles", "PortolanMap", "PortolanTileFiles", "PortolanPackages",
      ], touchingC: true),
    // Builds the mobile map package Explore Maine from text files.
    module(
      "PortolanSample",
      [
        "PortolanJSON", "PortolanGeometry", "PortolanFeatures", "PortolanTiles", "PortolanMap",
        "PortolanFiles", "PortolanGeodatabase", "PortolanTileFiles", "PortolanPackages",
        "PortolanConversion", "PortolanAuthoring", "PortolanDrawing", "PortolanRendering",
      ], resources: [.copy("Data")]),

    // What the desktop gives to signing in: a place for secrets, a place for portals' answers.
    module(
      "PortolanDesktop", ["PortolanFiles", "PortolanPortal", "CSecretService"], touchingC: true),

    // Files of one format made from those of another.
    module(
      "PortolanConversion",
      [
        "PortolanFiles", "PortolanJSON", "PortolanGeometry", "PortolanFeatures", "PortolanTiles",
        "PortolanMap", "PortolanSQLite", "PortolanArchives", "PortolanGeodatabase",
        "PortolanGeoPackage", "PortolanTileFiles", "PortolanPackages",
      ]),

    // Mobile map packages made from a file that describes them.
    module(
      "PortolanAuthoring",
      [
        "PortolanFiles", "PortolanJSON", "PortolanGeometry", "PortolanFeatures", "PortolanTiles",
        "PortolanMap", "PortolanArchives", "PortolanGeodatabase", "PortolanGeoPackage",
        "PortolanTileFiles", "PortolanPackages", "PortolanSearch", "PortolanConversion",
      ]),

    // Tiles that were seen and regions that were taken, kept; and tiles served to other programs.
    module(
      "PortolanTileCache",
      [
        "PortolanFiles", "PortolanJSON", "PortolanXML", "PortolanGeometry", "PortolanTiles",
        "PortolanTransport", "PortolanSQLite", "PortolanArchives", "PortolanCrypto",
        "PortolanLocks", "PortolanTileFiles", "PortolanHTTPServer", "PortolanProtobuf",
      ]),

    // What is on this device: the catalogue, the folders, installing, deleting, checking.
    module(
      "PortolanLibrary", ["PortolanFiles", "PortolanJobs", "PortolanSQLite", "PortolanCrypto"],
      touchingC: true),

    // Taking maps offline: the areas there are, and the jobs that download them.
    module(
      "PortolanOffline",
      [
        "PortolanFiles", "PortolanJSON", "PortolanGeometry", "PortolanMap", "PortolanJobs",
        "PortolanTransport", "PortolanPortal", "PortolanPackages", "PortolanLibrary",
        "PortolanFeatures", "PortolanGeodatabase", "PortolanGeoPackage", "PortolanTiles",
        "PortolanLocks",
      ]),

    // Web maps of a portal: loaded, their layers each with its own state.
    module(
      "PortolanWebMaps",
      [
        "PortolanFiles", "PortolanJSON", "PortolanGeometry", "PortolanFeatures", "PortolanTiles",
        "PortolanMap", "PortolanPortal", "PortolanPackages",
      ]),

    // MARK: Row 6 – view models
    // The observable view models, one a screen; sentences for people.
    module(
      "PortolanApp",
      [
        "PortolanFiles", "PortolanLocks", "PortolanJSON", "PortolanGeometry", "PortolanFeatures",
        "PortolanTiles", "PortolanMap", "PortolanArchives", "PortolanGeodatabase",
        "PortolanGeoPackage", "PortolanTileFiles", "PortolanPackages", "PortolanConversion",
        "PortolanTransport", "PortolanPortal", "PortolanWebMaps", "PortolanAuthoring",
        "PortolanJobs", "PortolanLibrary", "PortolanOffline", "PortolanSearch", "PortolanTileCache",
        "PortolanHTTPServer", "PortolanImages",
      ]),

    // A portal on loopback that answers as ArcGIS Online does, for tests and trying out.
    module(
      "DemoPortal",
      [
        "PortolanJSON", "PortolanXML", "PortolanGeometry", "PortolanFeatures", "PortolanTiles",
        "PortolanMap", "PortolanTransport", "PortolanArchives", "PortolanGeodatabase",
        "PortolanTileFiles", "PortolanRendering", "PortolanSample", "PortolanCrypto",
        "PortolanPackages", "PortolanHTTPServer", "PortolanProtobuf", "PortolanConversion",
        "PortolanDrawing",
      ]),

    // MARK: Row 7 – shells
    // Console, arguments, commands, text and JSON rendering.
    module(
      "PortolanREPL",
      [
        "PortolanFiles", "PortolanJSON", "PortolanGeometry", "PortolanFeatures", "PortolanTiles",
        "PortolanMap", "PortolanJobs", "PortolanApp", "CEdit",
      ], touchingC: true),
    // The screens in a browser: a server on loopback, and the page.
    module(
      "PortolanWeb",
      [
        "PortolanFiles", "PortolanLocks", "PortolanJSON", "PortolanJobs", "PortolanGeometry",
        "PortolanFeatures", "PortolanTiles", "PortolanMap", "PortolanCrypto", "PortolanTransport",
        "PortolanHTTPServer", "PortolanApp",
      ], resources: [.copy("Page")]),
    // Turns a configuration into live dependencies.
    module(
      "PortolanComposition",
      [
        "PortolanFiles", "PortolanApp", "PortolanPackages", "PortolanPortal", "PortolanTransport",
        "PortolanCurl", "PortolanNetlink", "PortolanDesktop", "PortolanWebMaps", "PortolanJobs",
        "PortolanLibrary", "PortolanOffline", "PortolanCrypto", "PortolanSearch",
      ]),
    // The demo portal, the tour and the sample, for those who want to try things out.
    module(
      "PortolanDemo",
      [
        "PortolanApp", "PortolanComposition", "PortolanPortal", "PortolanTransport",
        "PortolanSample", "DemoPortal", "PortolanRendering",
      ]),

    // MARK: Row 8 – executables
    program(
      "portolan",
      [
        "PortolanComposition", "PortolanDemo", "PortolanREPL", "PortolanWeb", "PortolanRendering",
      ]),
    // The parsers as targets of mutated inputs, and the engine that feeds them.
    module(
      "PortolanFuzzing",
      [
        "PortolanJSON", "PortolanXML", "PortolanGeometry", "PortolanFeatures", "PortolanTiles",
        "PortolanFeatureTables", "PortolanMap", "PortolanSQLite", "PortolanArchives",
        "PortolanGeodatabase", "PortolanGeoPackage", "PortolanTileFiles", "PortolanPackages",
        "PortolanConversion", "PortolanREPL", "PortolanPortal", "PortolanTransport", "DemoPortal",
        "PortolanRendering", "PortolanDrawing", "PortolanImages",
      ]),
    program("fuzz", ["PortolanFuzzing"]),

    // Processes that are killed while they work on a home, and what looks at what they leave.
    module(
      "PortolanCrashTesting",
      [
        "PortolanFiles", "PortolanJSON", "PortolanFeatures", "PortolanTiles", "PortolanMap",
        "PortolanJobs", "PortolanGeometry", "PortolanSQLite", "PortolanTransport", "PortolanCurl",
        "PortolanGeodatabase", "PortolanPortal", "PortolanPackages", "PortolanLibrary",
        "PortolanOffline", "DemoPortal", "PortolanTileCache", "PortolanHTTPServer", "PortolanApp",
        // Nobody calls it: it takes the place of system calls in the programs that it is linked into.
        "CFailingSystemCalls",
      ]),
    program("crash-test", ["PortolanCrashTesting"]),

    // Measures Portolan beside its rivals.
    program(
      "benchmarks",
      [
        "PortolanFeatures", "PortolanGeodatabase", "PortolanGeometry", "PortolanPackages",
        "PortolanTileFiles", "PortolanTiles", "PortolanArchives", "PortolanConversion",
        "PortolanCurl", "PortolanPortal", "PortolanTransport", "PortolanCrypto", "PortolanJobs",
        "PortolanLibrary", "PortolanOffline", "PortolanApp", "PortolanSQLite", "DemoPortal",
        "PortolanRendering", "PortolanMap", "PortolanSearch", "PortolanTileCache", "PortolanJSON",
        "PortolanImages",
      ]),

    // MARK: Tests
    module(
      "PortolanTestSupport",
      [
        "PortolanFiles", "PortolanLocks", "PortolanTransport", "PortolanSQLite",
      ]),
    // What every feature store must do, as checks that each store's tests run.
    module(
      "PortolanFeatureContracts",
      [
        "PortolanFeatures", "PortolanGeometry", "PortolanJSON", "PortolanSQLite",
        "PortolanGeodatabase",
      ]),
    testTarget("ArchitectureTests"),
    tests(of: "PortolanFiles"),
    tests(of: "PortolanJSON"),
    tests(of: "PortolanXML"),
    tests(of: "PortolanExpressions", ["PortolanJSON"]),
    tests(of: "PortolanImages", ["PortolanDrawing", "PortolanGeometry", "PortolanMap"]),
    tests(of: "PortolanDrawing", ["PortolanImages", "PortolanGeometry", "PortolanMap"]),
    tests(
      of: "PortolanVectorTiles",
      [
        "PortolanExpressions", "PortolanJSON", "PortolanDrawing", "PortolanGeometry", "PortolanMap",
        "PortolanPackages", "PortolanTiles",
      ]),
    tests(
      of: "PortolanSymbols",
      ["PortolanDrawing", "PortolanGeometry", "PortolanFeatures", "PortolanJSON", "PortolanMap"]),
    tests(
      of: "PortolanRendering",
      [
        "PortolanExpressions", "PortolanGeometry", "PortolanMap", "PortolanFeatures",
        "PortolanFeatureContracts", "PortolanTiles", "PortolanTileFiles", "PortolanPackages",
        "PortolanJSON", "PortolanArchives", "PortolanSample", "PortolanImages", "PortolanDrawing",
        "PortolanVectorTiles", "PortolanSymbols",
      ], exclude: ["__Snapshots__"]),
    tests(
      of: "PortolanGeodatabase",
      [
        "PortolanFeatures", "PortolanFeatureContracts", "PortolanFiles", "PortolanGeometry",
        "PortolanJSON", "PortolanSQLite", "PortolanXML", "CFailingSystemCalls",
      ]),
    tests(
      of: "PortolanGeoPackage",
      [
        "PortolanGeodatabase", "PortolanFeatures", "PortolanFeatureContracts",
        "PortolanFeatureTables", "PortolanGeometry", "PortolanJSON", "PortolanSQLite",
      ]),
    tests(
      of: "PortolanTileFiles",
      ["PortolanTiles", "PortolanArchives", "PortolanGeometry", "PortolanJSON", "PortolanSQLite"]),
    tests(of: "PortolanTiles", ["PortolanGeometry", "PortolanJSON"]),
    tests(
      of: "PortolanFeatures",
      [
        "PortolanFeatureContracts", "PortolanGeometry", "PortolanJSON", "PortolanSQLite",
        "PortolanFeatureTables",
      ]),
    tests(of: "PortolanGeometry", ["PortolanJSON"]),
    tests(
      of: "PortolanPortal",
      [
        "PortolanTransport", "PortolanFeatures", "PortolanGeometry", "PortolanJSON", "PortolanMap",
        "PortolanTiles", "PortolanProtobuf", "PortolanCrypto", "PortolanLocks",
      ]),
    tests(of: "PortolanLocks"),
    tests(of: "PortolanJobs"),
    tests(
      of: "PortolanWebMaps",
      [
        "PortolanPortal", "PortolanTransport", "PortolanPackages", "PortolanMap",
        "PortolanFeatures", "PortolanJSON", "PortolanTiles", "PortolanGeometry",
      ]),
    tests(
      of: "PortolanOffline",
      [
        "PortolanLibrary", "PortolanFiles", "PortolanJobs", "PortolanPortal", "PortolanTransport",
        "PortolanGeometry", "PortolanJSON", "PortolanFeatures", "PortolanGeodatabase",
        "PortolanGeoPackage", "PortolanMap", "PortolanPackages", "PortolanSQLite", "PortolanSample",
        "PortolanTiles", "PortolanTileFiles", "DemoPortal", "PortolanLocks",
      ]),
    tests(
      of: "PortolanLibrary",
      ["PortolanFiles", "PortolanJobs", "PortolanLocks", "PortolanSQLite"]),
    tests(
      of: "PortolanTileCache",
      [
        "PortolanTiles", "PortolanTileFiles", "PortolanTransport", "PortolanGeometry",
        "PortolanJSON", "PortolanSQLite", "PortolanHTTPServer", "PortolanCurl", "PortolanLocks",
        "PortolanFiles", "PortolanArchives",
      ]),
    tests(
      of: "PortolanSearch",
      ["PortolanFeatures", "PortolanGeometry", "PortolanJSON", "PortolanFiles"]),
    tests(of: "PortolanTransport", ["PortolanFiles", "PortolanLocks"]),
    tests(of: "PortolanCrypto"),
    tests(of: "PortolanCurl", ["PortolanTransport"]),
    tests(of: "PortolanHTTPServer", ["PortolanTransport", "PortolanCurl"]),
    tests(
      of: "PortolanWeb",
      [
        "PortolanRendering", "PortolanHTTPServer", "PortolanApp", "PortolanComposition",
        "PortolanDemo", "PortolanJSON", "PortolanSample", "PortolanTransport", "PortolanCrypto",
        "PortolanLocks",
      ]),
    tests(of: "PortolanNetlink", ["PortolanTransport"]),
    tests(of: "PortolanDesktop", ["PortolanPortal", "PortolanTransport"]),
    tests(of: "PortolanSQLite", ["PortolanFiles"]),
    tests(of: "PortolanMap", ["PortolanJSON", "PortolanGeometry", "PortolanFeatures"]),
    tests(of: "PortolanArchives", ["PortolanFiles", "PortolanSQLite"]),
    tests(
      of: "PortolanPackages",
      [
        "PortolanFiles", "PortolanArchives", "PortolanFeatures", "PortolanMap", "PortolanGeometry",
        "PortolanJSON", "PortolanXML", "PortolanSQLite", "PortolanGeodatabase", "PortolanTiles",
        "PortolanTileFiles",
      ]),
    tests(
      of: "PortolanSample",
      [
        "PortolanPackages", "PortolanMap", "PortolanFeatures", "PortolanGeodatabase",
        "PortolanTileFiles", "PortolanTiles", "PortolanArchives", "PortolanSQLite",
        "PortolanGeometry", "PortolanJSON",
      ]),
    tests(
      of: "PortolanConversion",
      [
        "PortolanFiles", "PortolanFeatures", "PortolanFeatureContracts", "PortolanGeodatabase",
        "PortolanGeoPackage", "PortolanGeometry", "PortolanJSON", "PortolanArchives",
        "PortolanTileFiles", "PortolanTiles", "PortolanPackages", "PortolanSample",
        "PortolanPortal", "PortolanTransport", "PortolanSQLite", "PortolanMap",
      ]),
    tests(
      of: "PortolanAuthoring",
      [
        "PortolanConversion", "PortolanFiles", "PortolanJSON", "PortolanGeometry",
        "PortolanFeatures", "PortolanGeodatabase", "PortolanMap", "PortolanPackages",
        "PortolanArchives", "PortolanSQLite", "PortolanTiles", "PortolanTileFiles",
        "PortolanRendering",
      ]),
    tests(
      of: "PortolanApp",
      [
        "PortolanSearch", "PortolanConversion", "PortolanArchives", "PortolanPackages",
        "PortolanMap", "PortolanFeatureContracts", "PortolanFeatures", "PortolanGeometry",
        "PortolanJSON", "PortolanPortal", "PortolanTransport", "PortolanWebMaps", "PortolanJobs",
        "PortolanLibrary", "PortolanOffline", "PortolanRendering", "PortolanTiles", "DemoPortal",
        "PortolanTileCache", "PortolanTileFiles", "PortolanSQLite", "PortolanLocks",
        "PortolanGeodatabase", "PortolanGeoPackage", "PortolanFiles", "PortolanImages",
        "PortolanAuthoring",
      ]),
    tests(
      of: "PortolanREPL",
      [
        "PortolanJSON", "PortolanGeometry", "PortolanFeatures", "PortolanTiles", "PortolanApp",
        "PortolanArchives", "PortolanPackages", "PortolanComposition", "PortolanPortal",
        "PortolanTransport", "PortolanCrypto", "PortolanRendering", "PortolanJobs", "PortolanMap",
        "PortolanImages",
      ], exclude: ["__Snapshots__"]),
    tests(
      of: "DemoPortal",
      [
        "PortolanTransport", "PortolanJSON", "PortolanGeometry", "PortolanFeatures",
        "PortolanTiles", "PortolanGeodatabase", "PortolanTileFiles", "PortolanSQLite",
        "PortolanArchives", "PortolanSample", "PortolanCrypto", "PortolanMap", "PortolanPackages",
        "PortolanCurl", "PortolanPortal",
      ]),
    tests(
      of: "PortolanComposition",
      [
        "PortolanApp", "PortolanFiles", "PortolanGeodatabase", "PortolanJobs", "PortolanLibrary",
        "PortolanPackages", "PortolanPortal", "PortolanTransport", "PortolanMap", "PortolanSQLite",
      ]),
    testTarget(
      "EndToEndTests",
      [
        "PortolanRendering", "PortolanComposition", "PortolanDemo", "PortolanREPL",
        "PortolanArchives", "PortolanSample", "DemoPortal", "PortolanTransport", "PortolanCurl",
        "PortolanApp", "PortolanJobs", "PortolanLibrary", "PortolanOffline", "PortolanPackages",
        "PortolanPortal", "PortolanJSON", "portolan", "PortolanHTTPServer", "PortolanFeatures",
        "PortolanSQLite",
      ],
      exclude: ["__Snapshots__"]),
    testTarget(
      "PortolanCommandTests",
      ["portolan", "PortolanCurl", "PortolanFiles", "PortolanSQLite", "PortolanTransport"]),
    tests(of: "PortolanFuzzing"),
    tests(
      of: "PortolanCrashTesting", ["crash-test", "DemoPortal", "PortolanLibrary", "PortolanSQLite"]),
  ],
  swiftLanguageModes: [.v6]
)
