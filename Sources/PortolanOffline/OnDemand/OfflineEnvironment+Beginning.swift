internal import Foundation
internal import PortolanFiles
internal import PortolanJobs
internal import PortolanLibrary

// In which home a job began: what services have made for it is that one's.
extension OfflineEnvironment {
  /// The name of the file in the folder of a job that says in which home the job began.
  private static let beginningName = ".portolan-home"
  /// A limit for the size of the identity file, in bytes.
  private static let largestIdentity = 1 << 10

  /// Notes in which home a job begins that asks services for copies: in a home that is copied meanwhile,
  /// both would end with the same copy.
  func noteBeginning(in folder: URL) async throws(LibraryError) {
    let file = folder.appending(path: Self.beginningName)
    guard !FileSystem.live.exists(file) else { return }
    let home = try await library.homeIdentity()
    do { try FileSystem.live.write(Data(home.utf8), to: file) } catch { throw LibraryError(error) }
  }

  /// The identity of the home in which a job began; `nil` for a job of an older Portolan, or one that asks
  /// no service, which have not noted it.
  func beginning(in folder: URL) throws(LibraryError) -> String? {
    let file = folder.appending(path: Self.beginningName)
    do throws(FileError) {
      let data = try FileSystem.live.read(file, limit: Self.largestIdentity)
      return String(decoding: data, as: UTF8.self)
    } catch {
      guard case .absent = error else { throw LibraryError(error) }
      return nil
    }
  }

  /// Gives up what a service was asked for by a job, unless this home is a copy of the one that has asked,
  /// which goes on with it.
  func release(
    _ serverJob: OnDemandCheckpoint.ServerJob, of job: Job, portal: URL
  ) async throws {
    var home = serverJob.home
    if home == nil { home = try beginning(in: library.layout.staging(job.id.text)) }
    if let home {
      guard try await library.homeIdentity() == home else { return }
    }
    let release = ReplicaRelease(
      portal: portal, outbox: library.storage, now: surroundings.now())
    try await release.release(serverJob, by: job.id.text)
  }
}
