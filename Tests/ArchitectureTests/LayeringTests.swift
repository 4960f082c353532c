import Foundation
import Testing

/// The rows of the house, lowest first.
///
/// A module imports only from rows below its own, and from its own row only what is named beside
/// it. Docs/ARCHITECTURE.md says what each is for.
private let rows: [[(module: String, sameRow: Set<String>)]] = [
  [
    ("CSQLite", []), ("CZip", []), ("CZlib", []), ("CFileSystem", []), ("CIconv", []),
    ("CProj", []), ("CGEOS", []),
    ("CEdit", []), ("CXML2", []),
    ("CCairo", []), ("CPNG", []), ("CTurboJPEG", []), ("CWebP", []), ("CDeflate", []),
    ("CISAL", []),
    ("CSimdJSON", []), ("CMicroHTTPD", []),
    ("COpenSSL", []),
    ("CCurl", []), ("CNetlink", []),
    ("CSecretService", []), ("CFailingSystemCalls", []),
  ],
  [
    ("PortolanFiles", []),
    ("PortolanJSON", []),
    ("PortolanXML", []),
    ("PortolanLocks", []),
    ("PortolanProtobuf", []),
    ("PortolanJobs", []),
    ("PortolanGeometry", ["PortolanJSON"]),
    ("PortolanFeatures", ["PortolanJSON", "PortolanGeometry"]),
    ("PortolanTiles", ["PortolanJSON", "PortolanGeometry"]),
    ("PortolanMap", ["PortolanJSON", "PortolanGeometry", "PortolanFeatures", "PortolanTiles"]),
  ],
  [
    ("PortolanSQLite", []), ("PortolanArchives", []), ("PortolanTransport", []),
    ("PortolanCrypto", []), ("PortolanExpressions", []),
  ],
  [
    ("PortolanFeatureTables", []), ("PortolanGeodatabase", ["PortolanFeatureTables"]),
    ("PortolanGeoPackage", ["PortolanFeatureTables", "PortolanGeodatabase"]),
    ("PortolanTileFiles", []), ("PortolanCurl", []), ("PortolanHTTPServer", []),
    ("PortolanNetlink", []),
    ("PortolanImages", []), ("PortolanDrawing", ["PortolanImages"]),
  ],
  [
    ("PortolanPortal", []), ("PortolanPackages", []), ("PortolanSearch", []),
    ("PortolanTileCache", []),
    ("PortolanVectorTiles", ["PortolanPackages"]), ("PortolanSymbols", []),
  ],
  [
    ("PortolanRendering", []), ("PortolanConversion", []),
    ("PortolanAuthoring", ["PortolanConversion"]),
    ("PortolanSample", ["PortolanAuthoring", "PortolanConversion", "PortolanRendering"]),
    ("PortolanWebMaps", []),
    ("PortolanLibrary", []), ("PortolanOffline", ["PortolanLibrary"]), ("PortolanDesktop", []),
  ],
  [("PortolanApp", []), ("DemoPortal", [])],
  [
    ("PortolanREPL", []), ("PortolanWeb", []), ("PortolanComposition", []),
    ("PortolanDemo", ["PortolanComposition"]),
  ],
  [
    ("portolan", []), ("benchmarks", []), ("PortolanFuzzing", []), ("fuzz", ["PortolanFuzzing"]),
    ("PortolanCrashTesting", []), ("crash-test", ["PortolanCrashTesting"]),
  ],
]

/// The modules of ours that a shell may import besides the row of values.
///
/// These are the models and what the shell is built on; a shell opens, asks and writes nothing by
/// itself.
private let shells: [String: Set<String>] = [
  "PortolanREPL": ["PortolanApp", "CEdit"],
  "PortolanWeb": [
    "PortolanApp", "PortolanHTTPServer", "PortolanTransport", "PortolanCrypto",
  ],
]

@Suite struct LayeringTests {
  static let modules = rows.flatMap { $0.map(\.module) }

  @Test(arguments: modules) func `A module imports only what its row allows`(
    _ module: String
  ) throws {
    guard let row = rows.firstIndex(where: { $0.contains { $0.module == module } }) else { return }
    let below = Set(rows[..<row].joined().map(\.module))
    let sameRow = rows[row].first { $0.module == module }?.sameRow ?? []
    let ours = Set(Self.modules)
    for file in try Sources.files() where file.module == module {
      let forbidden = imports(of: file).intersection(ours).subtracting(below.union(sameRow))
      #expect(forbidden.isEmpty, "\(file.name) imports \(forbidden.sorted())")
    }
  }

  @Test(arguments: shells.keys.sorted())
  func `A shell imports the models and values`(_ shell: String) throws {
    let values = Set(rows[1].map(\.module))
    let allowed = values.union(shells[shell] ?? [])
    for file in try Sources.files() where file.module == shell {
      let forbidden = imports(of: file).intersection(Self.modules).subtracting(allowed)
      #expect(forbidden.isEmpty, "\(file.name) imports \(forbidden.sorted())")
    }
  }

  /// SwiftPM finds out about neither: what a module leaves out comes with another by chance.
  @Test(arguments: modules.filter(isOurs))
  func `A module depends on what it imports, and on nothing else`(_ module: String) throws {
    var imported: Set<String> = []
    for file in try Sources.files() where file.module == module {
      imported.formUnion(imports(of: file).filter(Self.isOurs))
    }
    let declared = try Manifest().dependencies(of: module).filter(Self.isOurs)
    #expect(imported.subtracting(declared).subtracting([module]) == [], "not declared")
    #expect(declared.subtracting(imported) == [], "not imported")
  }

  /// Whether a module is neither a C library nor a program.
  private static func isOurs(_ module: String) -> Bool {
    module.hasPrefix("Portolan") || module == "DemoPortal"
  }

  /// An app that only downloads, searches or edits installs no library for pictures.
  @Test func `The core contains no drawing, no shell and no demo portal`() throws {
    let brought = try Manifest().closure(of: ["PortolanApp", "PortolanComposition"])
    #expect(brought.contains("PortolanOffline"))
    let unasked: Set = [
      "CCairo", "PortolanDrawing", "PortolanSymbols", "PortolanVectorTiles", "PortolanRendering",
      "CEdit", "PortolanREPL", "PortolanWeb", "PortolanSample", "PortolanDemo", "DemoPortal",
    ]
    #expect(brought.intersection(unasked) == [])
  }

  @Test func `No library product depends on test support`() throws {
    let manifest = try Manifest()
    let forTests: Set = [
      "CFailingSystemCalls", "PortolanCrashTesting", "PortolanFuzzing", "PortolanTestSupport",
      "PortolanFeatureContracts", "DemoPortal",
    ]
    for (name, targets) in manifest.libraries {
      #expect(manifest.closure(of: Array(targets)).isDisjoint(with: forTests), "\(name)")
    }
    #expect(manifest.libraries.count > 10)
  }

  @Test func `Each library lists the modules that the interface of its own one names`() throws {
    for (library, targets) in try Manifest().libraries {
      for file in try Sources.files() where file.module == library {
        let named = file.lines.filter { $0.hasPrefix("public import ") }
          .compactMap { $0.firstMatch(of: Self.publicImport) }.map { String($0.1) }
        #expect(Set(named).subtracting(targets) == [], "\(library), by \(file.name)")
      }
    }
  }

  @Test func `Every folder of the sources has its place in a row`() throws {
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: Sources.root.path(percentEncoded: false))
    let known = Set(Self.modules + ["PortolanTestSupport", "PortolanFeatureContracts"])
    #expect(folders.filter { !known.contains($0) } == [])
  }

  @Test(arguments: modules.filter { $0.hasPrefix("C") })
  func `A C library is imported by one module`(_ library: String) throws {
    let importers = Set(
      try Sources.files().filter { imports(of: $0).contains(library) }.map(\.module))
    #expect(importers.count <= 1, "\(library) is imported by \(importers.sorted())")
  }

  /// A module of ours with types that others see: the compiler refuses such an import without need.
  private static var publicImport: Regex<(Substring, Substring)> {
    /^public import (?:struct |class |enum |protocol |func )?(Portolan\w+)/
  }

  private func imports(of file: Sources.File) -> Set<String> { Self.imports[file.name] ?? [] }

  /// The imports of each file, determined once.
  private static let imports: [String: Set<String>] = {
    let pattern =
      /^(?:@\w+ )*(?:public |package |internal |private )?import (?:struct |class |enum |protocol |func )?(\w+)/
    // A tree that cannot be read fails the tests that ask for its files.
    let files = (try? Sources.files()) ?? []
    return Dictionary(
      files.map { file in
        let lines = file.lines.filter { $0.contains("import ") }
        return (
          file.name, Set(lines.compactMap { $0.firstMatch(of: pattern).map { String($0.1) } })
        )
      }, uniquingKeysWith: { first, _ in first })
  }()
}
