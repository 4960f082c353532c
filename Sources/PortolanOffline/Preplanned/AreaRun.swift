internal import Foundation
internal import PortolanJSON
internal import PortolanJobs
internal import PortolanLibrary
internal import PortolanMap
internal import PortolanPortal
internal import PortolanTransport

/// One run of the download of an area.
struct AreaRun {
  let job: Job
  let reporter: JobReporter
  let environment: OfflineEnvironment

  private var library: MapLibrary { environment.library }

  /// Where the map grows.
  private var staging: URL { library.layout.staging(job.id.text) }

  private var dataFolder: URL { staging.appending(path: AreaDocuments.dataFolder) }

  func run() async throws -> JobOutcome {
    let parameters = try parameters()
    let portal = try await environment.connect(parameters.portal)
    let contents = try await AreaContents.load(parameters, from: portal)
    try await prepare(contents)
    var versions = PackageVersions(in: dataFolder)
    try versions.removeAll(but: contents.packages)
    let progress = AreaProgress(contents.packages, reporter: reporter)
    var failed: [JobFailedItem] = []
    for package in contents.packages {
      do { try await fetch(package, from: portal, &versions, progress) } catch {
        let interruption = JobInterruption(error)
        guard parameters.continuesOnErrors, case .failed(let failure) = interruption,
          failure.kind != .transient, failure.kind != .device
        else { throw interruption }
        await reporter.message("\(package.portalItem.title): \(failure.message)", .warning)
        failed.append(
          JobFailedItem(name: package.portalItem.title, attempts: 1, failure: failure))
      }
    }
    guard failed.count < contents.packages.count else {
      throw JobInterruption.failed(failed.first?.failure ?? JobFailure(message: "", kind: .absent))
    }
    try await install(contents, parameters, failed)
    await progress.finish()
    return JobOutcome(failedItems: failed)
  }

  private func parameters() throws -> DownloadPreplannedOfflineMapParameters {
    guard
      // What cannot be read was written by another version; the person is told.
      let parameters = try? JSONDecoder().decode(
        DownloadPreplannedOfflineMapParameters.self, from: job.parameters)
    else { throw OfflineMapError.badParameters }
    return parameters
  }

  // MARK: - Before the first byte

  private func prepare(_ contents: AreaContents) async throws {
    let missing = try await missingSpace(contents)
    guard missing <= 0 else { throw JobInterruption.waiting(.space(missing: missing)) }
    try await library.reuse(contents.mapID, in: job.id.text)
    do {
      try FileManager.default.createDirectory(
        at: dataFolder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw LibraryError.unwritable(
        file: dataFolder.path(percentEncoded: false), reason: error.localizedDescription)
    }
  }

  /// How many bytes are too few, with a reserve for documents; none if nobody can tell.
  private func missingSpace(_ contents: AreaContents) async throws -> Int {
    guard let free = environment.freeSpace(library.layout.home) else { return 0 }
    let needed = contents.packages.reduce(0) { $0 + ($1.byteCount ?? 0) }
    let present = library.layout.byteCount(ofStaged: job.id.text)
    return needed + max(needed / 50, 1 << 20) - present - free
  }

  // MARK: - Packages

  private func fetch(
    _ package: AreaPackage, from portal: Portal, _ versions: inout PackageVersions,
    _ progress: AreaProgress
  ) async throws {
    let file = dataFolder.appending(path: package.fileName)
    if FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) {
      if versions.isCurrent(package), await isSound(file) {
        return await progress.done(package, file)
      }
      try FileManager.default.removeItem(at: file)
    }
    try versions.expect(package)
    // What arrives damaged is fetched once more, whole.
    for attempt in 1...2 {
      try await download(package, to: file, from: portal, progress)
      do {
        _ = try await environment.check(file)
        return await progress.done(package, file)
      } catch {
        try FileManager.default.removeItem(at: file)
        guard attempt == 2 else { continue }
        throw OfflineMapError.damaged(
          file: package.portalItem.title,
          reason: (error as? any LocalizedError)?.errorDescription ?? "it cannot be opened.")
      }
    }
  }

  private func isSound(_ file: URL) async -> Bool {
    // Whatever is wrong with it, it is fetched anew.
    (try? await environment.check(file)) != nil
  }

  private func download(
    _ package: AreaPackage, to file: URL, from portal: Portal, _ progress: AreaProgress
  ) async throws {
    let id = try PortalItemID(package.id)
    let (updates, continuation) = AsyncStream<DownloadProgress>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let options = FileDownload.Options(progress: { continuation.yield($0) })
    async let reporting: Void = progress.follow(updates, of: package)
    do {
      _ = try await portal.client.download(
        portal.dataURL(of: id), to: file, options: options, clock: environment.clock,
        chance: environment.chance)
      continuation.finish()
      await reporting
    } catch {
      continuation.finish()
      await reporting
      throw error
    }
  }

  // MARK: - Afterwards

  private func install(
    _ contents: AreaContents, _ parameters: DownloadPreplannedOfflineMapParameters,
    _ failed: [JobFailedItem]
  ) async throws {
    let present = contents.packages.filter { package in
      FileManager.default.fileExists(
        atPath: dataFolder.appending(path: package.fileName).path(percentEncoded: false))
    }
    let documents = AreaDocuments(
      portal: parameters.portal, webMap: contents.webMapItem, area: contents.area,
      packages: present, updateMode: parameters.updateMode, guid: environment.makeID(),
      now: environment.now())
    let (map, online) = documents.offlineMap(
      of: contents.webMap, includesBasemap: parameters.includesBasemap)
    for (path, data) in documents.documents(of: map) {
      try data.write(to: staging.appending(path: path), options: .atomic)
    }
    _ = try await environment.check(staging)
    let omissions = failed.map { "\($0.name): \($0.failure.message)" }
    for title in online { await reporter.message("«\(title)» is in no package of the area.") }
    let stored = StoredMap(
      id: contents.mapID, origin: .preplannedArea(webMap: parameters.webMap, area: parameters.area),
      form: .folder, title: contents.area.portalItem.title,
      summary: contents.area.portalItem.snippet, portal: parameters.portal,
      installed: environment.now(), sourceModified: contents.area.portalItem.modified,
      byteCount: library.layout.byteCount(ofStaged: job.id.text), omissions: omissions)
    try await library.install(staging, as: stored)
  }
}
