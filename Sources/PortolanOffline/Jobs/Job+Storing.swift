public import PortolanJobs

extension Job {
  /// Whether the job stores a map under its title, as a download does; one of a kind that only another
  /// version knows may.
  public var storesMap: Bool { !isSync && !isTileExport }
}
