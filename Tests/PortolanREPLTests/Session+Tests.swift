import Foundation
import PortolanApp
import PortolanPackages

@testable import PortolanREPL

/// Opens nothing: for what needs no package.
struct NoPackages: PackageOpening {
  func open(_ url: URL) async throws(PackageError) -> MobileMapPackage {
    throw .unreadable(file: url.lastPathComponent, reason: "there is no such file")
  }
}

extension Session {
  /// A session of an app that can open no package, and the files of the test only.
  init(
    console: any Console, options: GlobalOptions, interpreter: Interpreter,
    files: StubFiles = StubFiles()
  ) {
    self.init(
      console: console, options: options, app: AppModel(opener: NoPackages(), files: files),
      interpreter: interpreter)
  }
}
