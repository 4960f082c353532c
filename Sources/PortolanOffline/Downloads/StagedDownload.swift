internal import Foundation
internal import PortolanJobs
internal import PortolanLibrary
internal import PortolanPortal
internal import PortolanTransport

/// The files of one download in the folder of its job.
struct StagedDownload {
  let plan: DownloadPlan
  let job: Job
  let environment: OfflineEnvironment

  private var library: MapLibrary { environment.library }

  /// Where the map grows.
  var folder: URL { library.layout.staging(job.id.text) }

  func url(of file: PlannedFile) -> URL { folder.appending(path: file.path) }

  func holds(_ file: PlannedFile) -> Bool {
    FileManager.default.fileExists(atPath: url(of: file).path(percentEncoded: false))
  }

  // MARK: - Before the first byte

  /// What is to be fetched and what there is.
  func estimate() async throws(LibraryError) -> DownloadEstimate {
    try await environment.estimate(plan, job: job.id.text)
  }

  /// Makes the folders, if there is enough free space, with the files of a stored version of the map.
  func prepare() async throws {
    try await library.requirePlace(for: plan.mapID, plan.form)
    var missing = try await estimate().shortfall
    if missing > 0 {
      // The versions before updates are kept until their space is needed.
      try await library.reclaimSpace()
      missing = try await estimate().shortfall
    }
    guard missing == 0 else { throw JobInterruption.waiting(.space(missing: missing)) }
    try await library.reuse(plan.mapID, in: job.id.text)
    for file in plan.files {
      let folder = url(of: file).deletingLastPathComponent()
      do {
        try FileManager.default.createDirectory(
          at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      } catch {
        throw LibraryError(writing: folder, error)
      }
    }
    try removeUnplanned()
  }

  /// Removes the files of a version before that this one no longer has.
  private func removeUnplanned() throws(LibraryError) {
    var versions = try FileVersions(in: folder)
    let unplanned = versions.paths(outside: plan)
    for path in unplanned {
      let files = ["", ".part", ".part.json"].map { folder.appending(path: path + $0) }
      for url in files where FileManager.default.fileExists(atPath: url.path(percentEncoded: false))
      {
        do { try FileManager.default.removeItem(at: url) } catch {
          throw LibraryError(writing: url, error)
        }
      }
      versions[path] = nil
    }
    if !unplanned.isEmpty { try versions.write(to: folder) }
  }

  /// Removes the beginnings of files that could not be fetched, which are no parts of the map.
  func discardUnfinished() async throws {
    for file in plan.files where !holds(file) {
      try await FileDownload.discard(beside: url(of: file))
    }
  }

  // MARK: - Files

  /// Fetches a file unless it is there, and opens it to see whether it is sound.
  func fetch(
    _ file: PlannedFile, from portal: Portal, _ progress: TransferProgress
  ) async throws(FileFailure) {
    var attempts = 0
    do {
      if try await isThere(file) { return await progress.done(file, at: url(of: file)) }
      // What arrives damaged is fetched once more, whole.
      while true {
        attempts += 1
        try await download(file, from: portal, progress)
        if try await isSound(file, isLastAttempt: attempts == 2) { break }
      }
    } catch {
      throw FileFailure(error: error, attempts: max(attempts, 1))
    }
    await progress.done(file, at: url(of: file))
  }

  /// Whether a file is there, whole, sound and of the version that the portal has.
  private func isThere(_ file: PlannedFile) async throws -> Bool {
    var versions = try FileVersions(in: folder)
    let target = url(of: file)
    if holds(file) {
      // Whatever is wrong with it, it is fetched again.
      if versions[file.path] == file.version, try await environment.damage(of: target) == nil {
        // What a download left that could not confirm its end would become a part of the map.
        try await FileDownload.discard(beside: target)
        return true
      }
      try FileManager.default.removeItem(at: target)
    }
    guard versions[file.path] != file.version else { return false }
    versions[file.path] = file.version
    try versions.write(to: folder)
    return false
  }

  private func isSound(_ file: PlannedFile, isLastAttempt: Bool) async throws -> Bool {
    let found: (any Error)?
    do { found = try await environment.damage(of: url(of: file)) } catch {
      // A retry gets what is published then.
      if case .failed(let failure) = JobInterruption(error), failure.kind == .refused {
        try FileManager.default.removeItem(at: url(of: file))
      }
      throw error
    }
    guard let damage = found else { return true }
    try FileManager.default.removeItem(at: url(of: file))
    guard isLastAttempt else { return false }
    throw OfflineMapError.damaged(
      file: file.title,
      reason: (damage as? any LocalizedError)?.errorDescription ?? "it cannot be opened.")
  }

  private func download(
    _ file: PlannedFile, from portal: Portal, _ progress: TransferProgress
  ) async throws {
    let (updates, continuation) = AsyncStream<DownloadProgress>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let options = FileDownload.Options(progress: { continuation.yield($0) })
    async let reporting: Void = progress.follow(updates, of: file)
    do {
      _ = try await portal.client.download(
        file.address, to: url(of: file), options: options, clock: environment.surroundings.clock,
        chance: environment.surroundings.chance)
      continuation.finish()
      await reporting
    } catch {
      continuation.finish()
      await reporting
      throw error
    }
  }
}

/// Why a file could not be fetched.
struct FileFailure: Error {
  let error: any Error
  /// How often it was tried in this run.
  let attempts: Int
}
