import { notifications, type NotificationData } from '@mantine/notifications';
import { useText } from '../i18n';

type Notify = (message: NotificationData['message'], options?: Partial<NotificationData>) => void;

/** Shows a notice in the corner, whose close button has a name. */
export function useNotify(): Notify {
  const t = useText();
  return (message, options) => {
    notifications.show({ closeButtonProps: { 'aria-label': t('close') }, ...options, message });
  };
}
