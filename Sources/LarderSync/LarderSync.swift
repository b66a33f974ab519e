@_exported import Larder
