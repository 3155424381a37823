; What the Windows uninstaller does besides removing the program. An update runs it, too, and keeps everything.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    nsExec::Exec '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" uninstall --keep-data'
    Pop $0
  ${endIf}
!macroend
