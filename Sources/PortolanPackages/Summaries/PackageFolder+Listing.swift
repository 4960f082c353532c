public import Foundation

extension PackageFolder.Listing {
  /// A listing of one package, wherever it is; a file that is of no known kind counts as another.
  public init(ofPackageAt url: URL) {
    let finding = PackageFolder.finding(at: url)
    // The size is for people; a file that has gone meanwhile has none.
    let values = try? url.resolvingSymlinksInPath().resourceValues(
      forKeys: [.fileSizeKey, .isRegularFileKey, .isDirectoryKey])
    let size = values?.isRegularFile == true ? values?.fileSize : nil
    self.init(
      entries: finding == .other
        ? [] : [PackageFolder.Entry(name: url.lastPathComponent, size: size, finding: finding)],
      otherCount: finding == .other && values?.isDirectory != true ? 1 : 0, readCount: 1)
  }
}
