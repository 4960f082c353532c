internal import Dispatch
public import Foundation
internal import PortolanArchives
internal import PortolanFiles
internal import PortolanLocks
internal import PortolanTileFiles
internal import Synchronization

/// A folder of packages, with the kind of each.
///
/// What was read is remembered: an unchanged file is not opened again.
public struct PackageFolder: Sendable {
  /// The finding about a file or folder.
  public enum Finding: Hashable, Sendable {
    /// It is a package.
    case package(PackageSummary)
    /// It should be a package, and cannot be read, for the reason given.
    case damaged(reason: String)
    /// It is something else.
    case other
  }

  /// A package, or what should be one.
  public struct Entry: Hashable, Sendable {
    /// The name in the folder.
    public var name: String
    /// The size in bytes; `nil` for a folder.
    public var size: Int?
    /// The finding.
    public var finding: Finding

    /// Creates an entry.
    public init(name: String, size: Int?, finding: Finding) {
      self.name = name
      self.size = size
      self.finding = finding
    }
  }

  /// The entries of the folder.
  public struct Listing: Hashable, Sendable {
    /// The packages, by name.
    public var entries: [Entry]
    /// How many files are something else; folders are not counted.
    public var otherCount: Int
    /// How many files and folders were opened, because they were not remembered.
    public var readCount: Int
  }

  private let url: URL
  private let summaryCache: any PackageSummaryCache

  /// Whether a folder is no package itself, but one that packages lie in, or may.
  public static func isOne(_ url: URL) -> Bool {
    // What is no folder, or cannot be listed, is none.
    guard let items = try? FolderListing(of: url).items else { return false }
    if items.contains(where: { $0.name.lowercased().hasSuffix(".info") }) { return false }
    let isPackage = { (item: FolderListing.Item) in
      let suffix = item.name.split(separator: ".").last.map { $0.lowercased() } ?? ""
      return PackageSummary.knownExtensions.contains(suffix)
    }
    if items.contains(where: isPackage) { return true }
    guard !TileFolderSource.isOne(url) else { return false }
    return !TilePackageFile.isCache(url) || TilePackageFile.holdsSeveral(url)
  }

  /// Describes the folder at `url`, whose files `summaryCache` remembers.
  public init(_ url: URL, summaryCache: any PackageSummaryCache) {
    self.url = url
    self.summaryCache = summaryCache
  }

  /// Files that were written so shortly ago are not remembered: they may be written to again within
  /// what clocks of file systems tell apart.
  private static let freshness: Int64 = 2_000_000_000

  /// Lists the packages.
  ///
  /// - Parameter now: The present.
  /// - Returns: The packages, among them those that are damaged.
  /// - Throws: ``PackageError`` if the folder cannot be listed.
  public func listing(now: Date) throws(PackageError) -> Listing {
    let present: [FolderListing.Item]
    do { present = try FolderListing(of: url).items } catch {
      throw .unreadable(file: url.relativePath, reason: error.plainReason)
    }
    let path = url.standardizedFileURL.path(percentEncoded: false)
    let known = summaryCache.records(of: path)
    let (journals, busy) = Self.journals(among: present)
    let newest = Int64(min(max(now.timeIntervalSince1970 * 1e9, -9e18), 9e18)) - Self.freshness
    let mayKeep = { (item: FolderListing.Item) in !item.isFolder && !busy.contains(item.name) }
    let items = present.filter { !journals.contains($0.name) }
    let remembered = items.map { item in
      mayKeep(item) ? known[item.name].flatMap { $0.stamp == item.stamp ? $0 : nil } : nil
    }
    let unknown = items.indices.filter { remembered[$0] == nil }
    let found = findings(of: unknown.map { items[$0].name })
    let findings = Dictionary(uniqueKeysWithValues: zip(unknown, found))
    var listing = Listing(entries: [], otherCount: 0, readCount: unknown.count)
    var records: [String: PackageRecord] = [:]
    for (index, item) in items.enumerated() {
      let finding = findings[index] ?? remembered[index]?.finding ?? .other
      // What lies in a folder may change without it, and what is in a journal without the file.
      if let record = remembered[index] {
        records[item.name] = record
      } else if mayKeep(item), item.stamp.changed < newest {
        records[item.name] = PackageRecord(stamp: item.stamp, finding: finding)
      }
      guard finding != .other else {
        if !item.isFolder { listing.otherCount += 1 }
        continue
      }
      listing.entries.append(
        Entry(
          name: item.name, size: item.isFolder ? nil : Int(item.stamp.size), finding: finding))
    }
    if listing.readCount > 0 && records != known || records.count != known.count {
      summaryCache.keep(records, of: path)
    }
    return listing
  }

  /// The findings about the files and folders of these names, read side by side.
  private func findings(of names: [String]) -> [Finding] {
    let next = Atomic(0)
    let findings = Locked([Finding](repeating: .other, count: names.count))
    // Opening files blocks, which the threads of the cooperative pool should not.
    DispatchQueue.concurrentPerform(
      iterations: min(names.count, ProcessInfo.processInfo.activeProcessorCount)
    ) { _ in
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < names.count else { return }
        let finding = Self.finding(at: url.appending(path: names[index]))
        findings.withLock { $0[index] = finding }
      }
    }
    return findings.withLock { $0 }
  }

  /// The finding about a file or folder.
  public static func finding(at url: URL) -> Finding {
    do {
      return try PackageSummary.read(at: url).map(Finding.package) ?? .other
    } catch {
      return .damaged(reason: error.errorDescription ?? "\(error)")
    }
  }

  /// The files that belong to a database beside them, and the databases that changes lie beside.
  private static func journals(
    among items: [FolderListing.Item]
  ) -> (journals: Set<String>, busy: Set<String>) {
    var (journals, busy): (Set<String>, Set<String>) = ([], [])
    let suffixes = ["-wal", "-journal", "-shm"]
    let candidates = items.lazy.map(\.name).filter { suffixes.contains(where: $0.hasSuffix) }
    guard candidates.first != nil else { return ([], []) }
    let names = Set(items.lazy.map(\.name))
    for name in candidates {
      guard let suffix = suffixes.first(where: name.hasSuffix) else { continue }
      let database = String(name.dropLast(suffix.count))
      guard names.contains(database) else { continue }
      journals.insert(name)
      if suffix != "-shm" { busy.insert(database) }
    }
    return (journals, busy)
  }
}
